import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Request, Response } from 'express';
import { map, type Observable } from 'rxjs';
import type { Pagination } from './page.js';

/** Headers beyond some thousand bytes are refused by clients and proxies, with the whole answer. */
const MAX_LINKS_CHARS = 4_000;

/**
 * The `Link` header (RFC 8288) of a page: first, prev, next and last. The targets are relative to the request: what a
 * client believes the service's name to be is none of our business.
 *
 * @param url path and query of the request
 * @returns `null` where they would be too long for a header: an address repeats whatever nonsense it was asked with
 */
export function pageLinks(url: string, { page, total_pages: totalPages }: Pagination): string | null {
  const last = Math.max(totalPages, 1);
  const targets: [string, number | null][] = [
    ['first', 1],
    ['prev', page > 1 ? Math.min(page - 1, last) : null],
    ['next', page < totalPages ? page + 1 : null],
    ['last', last],
  ];
  const links = targets.flatMap(([rel, to]) => (to === null ? [] : [`<${withPage(url, to)}>; rel="${rel}"`]));
  const text = links.join(', ');
  return text.length > MAX_LINKS_CHARS ? null : text;
}

function withPage(url: string, page: number): string {
  const [path, query] = url.split('?', 2) as [string, string | undefined];
  const parameters = new URLSearchParams(query);
  parameters.set('page', String(page));
  return `${path}?${parameters.toString()}`;
}

/** Gives every answer that is a page its links. */
@Injectable()
export class PageInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { originalUrl } = context.switchToHttp().getRequest<Request>();
    const response = context.switchToHttp().getResponse<Response>();
    return next.handle().pipe(
      map((body: { pagination?: Pagination } | undefined) => {
        const links = body?.pagination && pageLinks(originalUrl, body.pagination);
        if (links) response.set('Link', links);
        return body;
      }),
    );
  }
}
