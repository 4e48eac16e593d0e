import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { Allow } from 'class-validator';
import { Count } from '../members.js';

const DEFAULT_PER_PAGE = 25;
const MAX_PER_PAGE = 100;

/** A number beyond the safe integers counts as the largest of them. */
function wholeNumber(value: unknown): number | null {
  const number = typeof value === 'string' && /^\d+$/.test(value.trim()) ? Number(value) : 0;
  return number > 0 ? Math.min(number, Number.MAX_SAFE_INTEGER) : null;
}

/** A page number or size out of range is never refused: the nearest possible one is used. */
export class PageQuery {
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    default: 1,
    description: 'Page number.',
  })
  @Transform(({ value }) => wholeNumber(value) ?? 1)
  @Allow()
  page: number = 1;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: MAX_PER_PAGE,
    default: DEFAULT_PER_PAGE,
    description: `Items per page; more than ${MAX_PER_PAGE} gives ${MAX_PER_PAGE}.`,
  })
  @Transform(({ value }) => Math.min(wholeNumber(value) ?? DEFAULT_PER_PAGE, MAX_PER_PAGE))
  @Allow()
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
