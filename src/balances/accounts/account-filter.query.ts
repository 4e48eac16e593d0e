import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, MaxLength } from 'class-validator';
import type { CalendarDate } from '../../platform/time/calendar-date.js';
import { FIRST_CURSOR, MAX_CURSOR_CHARS } from '../../http/pagination/cursor.js';
import { AccountIdsParameter, CurrenciesParameter, DateParameter } from '../../http/input/filter-parameters.js';
import { PageQuery } from '../../http/pagination/page.js';
import { IsNotBefore, Trimmed } from '../../http/input/validators.js';
import { Transform } from 'class-transformer';

/** One index serves both. */
const DATE_ORDERS = ['-date', 'date'] as const;

export type DateOrder = (typeof DATE_ORDERS)[number];

/** The filters of lists of dated records of accounts. */
export class AccountFilterQuery extends PageQuery {
  @AccountIdsParameter()
  account_id?: string[];

  @CurrenciesParameter()
  currency?: string[];

  @DateParameter('Records from this date on, inclusive.')
  start_date?: CalendarDate;

  @DateParameter('Records until this date, inclusive.')
  @IsNotBefore('start_date')
  end_date?: CalendarDate;

  @ApiPropertyOptional({
    enum: DATE_ORDERS,
    default: '-date',
    description: '`-date`: newest first; `date`: oldest first.',
  })
  @IsOptional()
  @IsIn(DATE_ORDERS, { message: `sort must be one of: ${DATE_ORDERS.join(', ')}` })
  sort?: DateOrder;

  @ApiPropertyOptional({
    maxLength: MAX_CURSOR_CHARS,
    description:
      `\`${FIRST_CURSOR}\`, then each \`next_cursor\`: reads on after the last record, whatever is written meanwhile. ` +
      'A record whose date changes meanwhile may be missing or come twice; for a copy, read ' +
      '`GET /api/v1/changes`. A cursor is valid for the same person, filters and order. `page` is ignored.',
  })
  @IsOptional()
  cursor?: string;
}

/** The filters of the list of accounts, which are no dated records. */
export class ListAccountsQuery extends PageQuery {
  @AccountIdsParameter()
  account_id?: string[];
}

export const MAX_SEARCH_CHARS = 100;

export class ListTransactionsQuery extends AccountFilterQuery {
  @ApiPropertyOptional({
    type: Boolean,
    description: 'Only pending transactions, or only posted ones.',
  })
  @IsOptional()
  @Transform(({ value }: { value: unknown }) => (value === 'true' ? true : value === 'false' ? false : value))
  @IsIn([true, false], { message: 'pending must be true or false' })
  pending?: boolean;

  @ApiPropertyOptional({
    maxLength: MAX_SEARCH_CHARS,
    description: 'Only transactions whose description or merchant has all of these words, in upper or lower case.',
  })
  @IsOptional()
  @Trimmed()
  @MaxLength(MAX_SEARCH_CHARS, { message: `search must not be longer than ${MAX_SEARCH_CHARS} characters` })
  search?: string;
}

export class ListHoldingsQuery extends PageQuery {
  @AccountIdsParameter()
  account_id?: string[];

  @CurrenciesParameter('Only positions in this currency')
  currency?: string[];

  @DateParameter('The newest snapshot of each account on or before this date.')
  date?: CalendarDate;
}
