import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { UnhealthyConnection } from '../../sync/overview/connection-health.queries.js';
import type { Session } from '../../auth/sessions.service.js';

/** What any part of a page may need of the request. */
interface PageRequest {
  session: Session | null;
  formToken: string | null;
  /** The refused form, which is shown as it was typed; `null`: none. */
  typed: { action: string; fields: URLSearchParams } | null;
  /** Whether the form was not carried out, because its session had ended. */
  isUnsent: boolean;
  /** Connections that bring nothing now. */
  unhealthy: readonly UnhealthyConnection[];
  path: string;
  /** Where the browser reaches this service: origin and prefix of the path. */
  origin: string;
  /** Of the running version; `null`: the operator has not configured it. */
  sourceUrl: string | null;
}

export const PageContext = createContext<PageRequest>({
  session: null,
  formToken: null,
  typed: null,
  isUnsent: false,
  unhealthy: [],
  path: '/',
  origin: '',
  sourceUrl: null,
});

export function usePageContext(): PageRequest {
  return useContext(PageContext);
}

/** The timezone of the person who looks at the page. */
export function useTimeZone(): string {
  return usePageContext().session?.timeZone ?? 'UTC';
}
