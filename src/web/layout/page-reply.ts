import type { StreamableFile } from '@nestjs/common';
import type { Request } from 'express';
import type { VNode } from 'preact';
import { allowedMethods } from '../../http/errors/to-api-error.js';
import type { UnhealthyConnection } from '../../sync/overview/connection-health.queries.js';
import type { FieldErrors } from '../components/page-context.js';

/** The return value of a page handler: a page, a page with a status, a redirect, nothing, or a file. */
export type PageReply = VNode | PageWithStatus | Redirect | typeof NOTHING_NEW | StreamableFile;

interface PageWithStatus {
  page: VNode;
  status: number;
  /** For the navigation, if the handler has read them. */
  unhealthy?: readonly UnhealthyConnection[];
  /** What is wrong with the form that was sent, by field. */
  errors?: FieldErrors;
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

/** Shows a form again as it was filled in, with what is wrong beside its fields. */
export function refuse(page: VNode, errors: FieldErrors, status = 422): PageWithStatus {
  return { page, status, errors };
}

/** A link to the next page. */
interface PageLink {
  href: string;
  text: string;
}

const TO_OVERVIEW: PageLink = { href: '/', text: 'Go to the overview' };

/** An error that a person sees as a page. */
export class PageProblemError extends Error {
  override readonly name = 'PageProblemError';

  constructor(
    readonly status: number,
    readonly title: string,
    message: string,
    readonly link = TO_OVERVIEW,
  ) {
    super(message);
  }
}

/** The page requires a signed-in person. */
export class SignInNeededError extends Error {
  override readonly name = 'SignInNeededError';
  readonly status = 401;

  /** @param hadSession whether the browser has the cookie of an ended session */
  constructor(readonly hadSession: boolean) {
    super('the page is for people who have signed in');
  }
}

/** The page with the form that is sent to an address: the nearest path above it that answers a GET. */
export function pageOfForm(request: Request): string {
  for (let { path } = request; path.length > 1; path = path.slice(0, path.lastIndexOf('/'))) {
    if (allowedMethods(request, path).includes('GET')) return path;
  }
  return '/';
}
