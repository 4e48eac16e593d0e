import type { Response } from 'express';
import { FIRST_CURSOR } from './cursor.js';
import type { Pagination } from './page.js';

/** Clients and proxies refuse an answer whose headers have more than some thousand bytes. */
const MAX_LINKS_CHARS = 4_000;

interface Page {
  pagination?: Pagination;
  next_cursor?: string | null;
}

/** Gives an answer that is a page of a list its `Link` header; does nothing to others. */
export function setPageLinks(response: Response, answer: unknown): void {
  const links = linksOf(response.req.originalUrl, answer ?? {});
  if (links) response.set('Link', links);
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
 * The `Link` header (RFC 8288). The targets are relative to the request, since proxies may give the service another name.
 *
 * @param url path and query of the request
 * @param targets values of the parameter by relation; `null`: there is no such page
 * @returns `null` where they would be too long for a header, because the query is
 */
function linkHeader(
  url: string,
  parameter: 'page' | 'cursor',
  targets: Record<string, string | number | null>,
): string | null {
  const [path, query] = url.split('?', 2) as [string, string | undefined];
  const parameters = new URLSearchParams(query);
  const links = Object.entries(targets).flatMap(([rel, target]) => {
    if (target === null) return [];
    parameters.set(parameter, String(target));
    return [`<${path}?${parameters.toString()}>; rel="${rel}"`];
  });
  const header = links.join(', ');
  return header.length > MAX_LINKS_CHARS ? null : header;
}
