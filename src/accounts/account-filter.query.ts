import type { CalendarDate } from '../time/calendar-date.js';
import { AccountIdParameter, CurrencyParameter, DateParameter } from '../http/input/filter-parameters.js';
import { PAGE_PARAMETERS, PageQuery } from '../http/pagination/page.js';
import { IsNotBefore } from '../http/input/validators.js';

/** The filters that lists of dated records of accounts have in common. */
export class AccountFilterQuery extends PageQuery {
  @AccountIdParameter()
  account_id?: string;

  @CurrencyParameter()
  currency?: string;

  @DateParameter('Records from this date on, inclusive.')
  start_date?: CalendarDate;

  @DateParameter('Records until this date, inclusive.')
  @IsNotBefore('start_date')
  end_date?: CalendarDate;
}

export const ACCOUNT_FILTER_PARAMETERS = [
  ...PAGE_PARAMETERS,
  'account_id',
  'currency',
  'start_date',
  'end_date',
] as const;
