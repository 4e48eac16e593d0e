import { AccountIdsParameter, CurrenciesParameter, DateParameter } from '../../http/input/filter-parameters.js';
import { PAGE_PARAMETERS, PageQuery } from '../../http/pagination/page.js';
import type { CalendarDate } from '../../time/calendar-date.js';

export class ListHoldingsQuery extends PageQuery {
  @AccountIdsParameter()
  account_id?: string[];

  @CurrenciesParameter('Only positions in this currency')
  currency?: string[];

  @DateParameter('As of this date: the newest snapshot of each account until then, inclusive.')
  date?: CalendarDate;
}

export const LIST_HOLDINGS_PARAMETERS = [...PAGE_PARAMETERS, 'account_id', 'currency', 'date'] as const;
