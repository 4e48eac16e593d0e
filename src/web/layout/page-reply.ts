import type { StreamableFile } from '@nestjs/common';
import type { VNode } from 'preact';
import type { UnhealthyConnection } from '../../sync/overview/connection-health.queries.js';

/** The return value of a page handler: a page, a page with a status, a redirect, nothing, or a file. */
export type PageReply = VNode | PageWithStatus | Redirect | typeof NOTHING_NEW | StreamableFile;

interface PageWithStatus {
  page: VNode;
  status: number;
  /** For the navigation, if the handler has read them. */
  unhealthy?: readonly UnhealthyConnection[];
}

/** To a part of a page that shows everything already. */
export const NOTHING_NEW = { isNothingNew: true } as const;

export interface Redirect {
  /** A path of this service. */
  redirectTo: string;
}

/** After an accepted form, so that a reload does not send it again. */
export function redirectTo(path: string): Redirect {
  return { redirectTo: path };
}
