import type { StreamableFile } from '@nestjs/common';
import type { VNode } from 'preact';

/** The return value of a page handler: a page, a page with a status, a redirect, or a file. */
export type PageReply = VNode | { page: VNode; status: number } | Redirect | StreamableFile;

export interface Redirect {
  /** A path of this service. */
  redirectTo: string;
}

/** After an accepted form, so that a reload does not send it again. */
export function redirectTo(path: string): Redirect {
  return { redirectTo: path };
}
