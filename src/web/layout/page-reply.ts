import type { StreamableFile } from '@nestjs/common';
import type { VNode } from 'preact';

/** What a page's handler may return: a page, a page with a status, the way to another page, or a file. */
export type PageReply = VNode | { page: VNode; status: number } | Redirect | StreamableFile;

export interface Redirect {
  /** A path of ours. */
  redirectTo: string;
}

/** After a form was accepted, so that reloading the page does not send it again. */
export function redirectTo(path: string): Redirect {
  return { redirectTo: path };
}
