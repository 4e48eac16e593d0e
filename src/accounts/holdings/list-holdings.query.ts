import { AccountIdsParameter, CurrenciesParameter, DateParameter } from '../../http/input/filter-parameters.js';
import { PageQuery } from '../../http/pagination/page.js';
import type { CalendarDate } from '../../time/calendar-date.js';

export class ListHoldingsQuery extends PageQuery {
  @AccountIdsParameter()
  account_id?: string[];

  @CurrenciesParameter('Only positions in this currency')
  currency?: string[];

  @DateParameter('The newest snapshot of each account on or before this date.')
  date?: CalendarDate;
}
