import type { CalendarDate } from '../../platform/time/calendar-date.js';
import { CURSOR_PROBLEM, FIRST_CURSOR, MAX_CURSOR_CHARS } from '../../http/pagination/cursor.js';
import { AccountIdsParameter, CurrenciesParameter, UpdatedSinceParameter } from '../../http/input/filter-parameters.js';
import { GivenDay, GivenFlag, GivenOneOf, GivenText } from '../../http/input/given.js';
import { PageQuery } from '../../http/pagination/page.js';
import { IsNotBefore } from '../../http/input/validators.js';
import { TRANSACTION_SOURCES, type TransactionSource } from '../transactions/transaction.entity.js';

/** One index serves both. */
const DATE_ORDERS = ['-date', 'date'] as const;

export type DateOrder = (typeof DATE_ORDERS)[number];

/** The filters of lists of dated records of accounts. */
export class AccountFilterQuery extends PageQuery {
  @AccountIdsParameter()
  account_id?: string[];

  @CurrenciesParameter()
  currency?: string[];

  @GivenDay({ optional: true, description: 'Records from this date on, inclusive.' })
  start_date?: CalendarDate;

  @GivenDay({ optional: true, description: 'Records until this date, inclusive.' })
  @IsNotBefore('start_date')
  end_date?: CalendarDate;

  @GivenOneOf(DATE_ORDERS, {
    default: '-date',
    description: '`-date`: newest first; `date`: oldest first.',
  })
  sort?: DateOrder;

  @GivenText({
    optional: true,
    max: MAX_CURSOR_CHARS,
    problem: CURSOR_PROBLEM,
    description:
      `\`${FIRST_CURSOR}\`, then each \`next_cursor\`: reads on after the last record, whatever is written meanwhile. ` +
      'A record whose date changes meanwhile may be missing or come twice; for a copy, read ' +
      '`GET /api/v1/changes`. A cursor is valid for the same person, filters and order. `page` is ignored.',
  })
  cursor?: string;
}

/** The filters of the list of accounts, which are no dated records. */
export class ListAccountsQuery extends PageQuery {
  @AccountIdsParameter()
  account_id?: string[];

  @UpdatedSinceParameter('A new balance alone does not change `updated_at`.')
  updated_since?: string;
}

export const MAX_SEARCH_CHARS = 100;

export class ListTransactionsQuery extends AccountFilterQuery {
  @GivenFlag({ optional: true, description: 'Only pending transactions, or only posted ones.' })
  pending?: boolean;

  @GivenFlag({ optional: true, description: 'Only transactions that you have left out, or only those that count.' })
  excluded?: boolean;

  @GivenOneOf(TRANSACTION_SOURCES, { optional: true, description: 'Only transactions that it has listed.' })
  source?: TransactionSource;

  @GivenText({
    optional: true,
    max: MAX_SEARCH_CHARS,
    description: 'Only transactions whose description or merchant has all of these words, in upper or lower case.',
  })
  search?: string;

  @UpdatedSinceParameter()
  updated_since?: string;
}

export class ListHoldingsQuery extends PageQuery {
  @AccountIdsParameter()
  account_id?: string[];

  @CurrenciesParameter('Only positions in this currency')
  currency?: string[];

  @GivenDay({ optional: true, description: 'The newest snapshot of each account on or before this date.' })
  date?: CalendarDate;
}
