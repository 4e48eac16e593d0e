import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  UseInterceptors,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { type Observable, tap } from 'rxjs';
import { publicAddress } from '../public-address.js';
import { FIRST_CURSOR } from './cursor.js';
import type { Pagination } from './page.js';

/** Clients and proxies refuse an answer whose headers have more than some thousand bytes. */
const MAX_LINKS_CHARS = 4_000;

interface Page {
  pagination?: Pagination;
  next_cursor?: string | null;
}

/** Adds the `Link` header to an answer that is a page of a list. */
@Injectable()
class PageLinksInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    return next
      .handle()
      .pipe(tap((answer) => setPageLinks(http.getRequest<Request>(), http.getResponse<Response>(), answer)));
  }
}

/** For a route that answers with pages, without `@ConditionalGet()`, which adds the links, too. */
export const PageLinks = (): MethodDecorator => UseInterceptors(PageLinksInterceptor);

export function setPageLinks(request: Request, response: Response, answer: unknown): void {
  const links = linksOf(publicAddress(request) + request.originalUrl, answer ?? {});
  if (links) response.setHeader('Link', links);
}

function linksOf(url: string, { pagination, next_cursor: nextCursor }: Page): string | null {
  if (nextCursor !== undefined) return linkHeader(url, 'cursor', { first: FIRST_CURSOR, next: nextCursor });
  return pagination ? pageLinks(url, pagination) : null;
}

/** The `Link` header of a page: first, prev, next and last. */
export function pageLinks(url: string, { page, total_pages: totalPages }: Pagination): string | null {
  const last = Math.max(totalPages, 1);
  return linkHeader(url, 'page', {
    first: 1,
    prev: page > 1 ? Math.min(page - 1, last) : null,
    next: page < totalPages ? page + 1 : null,
    last,
  });
}

/**
 * The `Link` header (RFC 8288). The targets are absolute, since some clients resolve no relative ones.
 *
 * @param url address of the request
 * @param targets values of the parameter by relation; `null`: there is no such page
 * @returns `null` where they would be too long for a header, because the query is
 */
function linkHeader(
  url: string,
  parameter: 'page' | 'cursor',
  targets: Record<string, string | number | null>,
): string | null {
  const [path = '', ...query] = url.split('?');
  const parameters = new URLSearchParams(query.join('?'));
  parameters.set(parameter, '');
  const [before = '', after = ''] = `&${parameters.toString()}&`.split(`&${parameter}=&`);
  const links = Object.entries(targets).flatMap(([rel, target]) => {
    if (target === null) return [];
    const asked = `${before}&${parameter}=${target}&${after}`.replace(/^&|&$/g, '');
    return [`<${path}?${asked}>; rel="${rel}"`];
  });
  const header = links.join(', ');
  return header.length > MAX_LINKS_CHARS ? null : header;
}
