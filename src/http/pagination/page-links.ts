import { FIRST_CURSOR } from './cursor.js';
import type { Pagination } from './page.js';

/** Clients and proxies refuse an answer whose headers have more than some thousand bytes. */
const MAX_LINKS_CHARS = 4_000;

/**
 * The `Link` header (RFC 8288) of a page: first, prev, next and last. The targets are relative to the request, since
 * proxies may give the service another name.
 *
 * @param url path and query of the request
 * @returns `null` where they would be too long for a header, because the query is
 */
export function pageLinks(url: string, { page, total_pages: totalPages }: Pagination): string | null {
  const [path, query] = url.split('?', 2) as [string, string | undefined];
  const parameters = new URLSearchParams(query);
  const linkTo = (to: number, rel: string) => {
    parameters.set('page', String(to));
    return `<${path}?${parameters.toString()}>; rel="${rel}"`;
  };
  const last = Math.max(totalPages, 1);
  const links = [
    linkTo(1, 'first'),
    ...(page > 1 ? [linkTo(Math.min(page - 1, last), 'prev')] : []),
    ...(page < totalPages ? [linkTo(page + 1, 'next')] : []),
    linkTo(last, 'last'),
  ].join(', ');
  return links.length > MAX_LINKS_CHARS ? null : links;
}

/** The same for a list that is read by cursor: first and next. */
export function cursorLinks(url: string, nextCursor: string | null): string | null {
  const [path, query] = url.split('?', 2) as [string, string | undefined];
  const parameters = new URLSearchParams(query);
  const linkTo = (cursor: string, rel: string) => {
    parameters.set('cursor', cursor);
    return `<${path}?${parameters.toString()}>; rel="${rel}"`;
  };
  const links = [linkTo(FIRST_CURSOR, 'first'), ...(nextCursor === null ? [] : [linkTo(nextCursor, 'next')])].join(
    ', ',
  );
  return links.length > MAX_LINKS_CHARS ? null : links;
}
