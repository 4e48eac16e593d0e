import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { PageLink } from '../../platform/module.js';
import type { UnhealthyConnection } from '../../sync/overview/connection-health.queries.js';
import type { Session } from '../../auth/sessions.service.js';

/** The errors of a form by field name. */
export type FieldErrors = Record<string, string>;

/** A form that was refused, which is shown again as it was filled in. */
export interface RefusedForm {
  /** Where it was sent. */
  action: string;
  /** What was sent. */
  fields: URLSearchParams;
  errors: FieldErrors;
}

/** What any part of a page may need of the request. */
export interface PageRequest {
  session: Session | null;
  formToken: string | null;
  /** `null`: the page answers no refused form. */
  refused: RefusedForm | null;
  /** Connections that bring nothing now. */
  unhealthy: readonly UnhealthyConnection[];
  path: string;
  /** Where the browser reaches this service: origin and prefix of the path. */
  origin: string;
  /** Of the running version; `null`: the operator has not configured it. */
  sourceUrl: string | null;
  /** To the pages of modules. */
  links: readonly PageLink[];
}

export const PageContext = createContext<PageRequest>({
  session: null,
  formToken: null,
  refused: null,
  unhealthy: [],
  path: '/',
  origin: '',
  sourceUrl: null,
  links: [],
});

export function usePageContext(): PageRequest {
  return useContext(PageContext);
}

/** The timezone of the person who looks at the page. */
export function useTimeZone(): string {
  return usePageContext().session?.timeZone ?? 'UTC';
}
