import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import type { CalendarDate } from '../time/calendar-date.js';
import { FIRST_CURSOR } from '../http/pagination/cursor.js';
import { AccountIdsParameter, CurrenciesParameter, DateParameter } from '../http/input/filter-parameters.js';
import { PageQuery } from '../http/pagination/page.js';
import { IsNotBefore } from '../http/input/validators.js';

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
    description:
      `\`${FIRST_CURSOR}\`, then each \`next_cursor\`: reads on after the last record, whatever is written meanwhile. ` +
      '`page` is ignored.',
  })
  @IsOptional()
  cursor?: string;
}

/** The filters of the list of accounts, which are no dated records. */
export class ListAccountsQuery extends PageQuery {
  @AccountIdsParameter()
  account_id?: string[];
}
