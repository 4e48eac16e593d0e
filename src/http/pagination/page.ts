import type { ApiPropertyOptions } from '@nestjs/swagger';
import { Given } from '../input/given.js';
import { Count } from '../members.js';

const DEFAULT_PER_PAGE = 25;
const MAX_PER_PAGE = 100;

/** A number beyond the safe integers counts as the largest of them. */
function wholeNumber(text: string): number | null {
  const number = /^\d+$/.test(text.trim()) ? Number(text) : 0;
  return number > 0 ? Math.min(number, Number.MAX_SAFE_INTEGER) : null;
}

/** @param read the nearest possible number: none is refused */
const pageNumber = (schema: ApiPropertyOptions, read: (text: string) => number) => ({
  schema: { ...schema, type: 'integer', minimum: 1 } as ApiPropertyOptions,
  problemOf: () => null,
  clean: read,
});

export class PageQuery {
  @Given<number>(pageNumber({}, (text) => wholeNumber(text) ?? 1), { default: 1, description: 'Page number.' })
  page: number = 1;

  @Given<number>(
    pageNumber({ maximum: MAX_PER_PAGE }, (text) => Math.min(wholeNumber(text) ?? DEFAULT_PER_PAGE, MAX_PER_PAGE)),
    { default: DEFAULT_PER_PAGE, description: `Items per page; more than ${MAX_PER_PAGE} gives ${MAX_PER_PAGE}.` },
  )
  per_page: number = DEFAULT_PER_PAGE;
}

export class Pagination {
  @Count({ minimum: 1, example: 1, description: 'The page asked for.' })
  page: number;

  @Count({ minimum: 1, example: 25, description: 'The page size used.' })
  per_page: number;

  @Count({ minimum: 0, example: 540, description: 'Items on all pages together.' })
  total_count: number;

  @Count({ minimum: 0, example: 22 })
  total_pages: number;
}

/** How many items precede a page. */
export function offsetOf({ page, per_page }: Pick<PageQuery, 'page' | 'per_page'>): number {
  return (page - 1) * per_page;
}

export function pagination({ page, per_page }: PageQuery, totalCount: number): Pagination {
  return { page, per_page, total_count: totalCount, total_pages: Math.ceil(totalCount / per_page) };
}
