import { AccountIdsParameter } from '../../http/input/filter-parameters.js';
import { GivenDay } from '../../http/input/given.js';
import { IsNotBefore } from '../../http/input/validators.js';
import { Amount, Count, Day, Flag, Group, List, responseOf, Text } from '../../http/members.js';
import type { CalendarDate } from '../../platform/time/calendar-date.js';
import { AccountReference } from '../accounts/account-reference.response.js';
import type { AccountChange, CurrencyChange } from './net-worth-changes.js';

export class NetWorthChangesQuery {
  @AccountIdsParameter()
  account_id?: string[];

  @GivenDay({ optional: true, description: 'The first day, inclusive; without it, 29 days before the last.' })
  start_date?: CalendarDate;

  @GivenDay({ optional: true, description: 'The last day, inclusive; without it, and at most, today.' })
  @IsNotBefore('start_date')
  end_date?: CalendarDate;
}

class ChangeResponse {
  @Text({ example: 'USD' })
  currency: string;

  @Amount({ example: 5_825_641, description: 'At the start of the first day; debts are negative.' })
  start: string;
  start_cents: number;

  @Amount({ example: 420_000, description: 'What came in. A payment of a debt comes into its account.' })
  money_in: string;
  money_in_cents: number;

  @Amount({ example: 311_138, description: 'What went out, not negative. A charge goes out of the account of a debt.' })
  money_out: string;
  money_out_cents: number;

  @Amount({ example: -61_240, description: 'What the market did.' })
  market: string;
  market_cents: number;

  @Amount({
    example: 1_440,
    description: 'What no transaction explains, and what an account held that was closed within these days.',
  })
  unexplained: string;
  unexplained_cents: number;

  @Amount({ example: 0, description: 'The part of `unexplained` that is values you gave of accounts by hand.' })
  values_given: string;
  values_given_cents: number;

  @Amount({ example: 5_874_703, description: 'start + money_in − money_out + market + unexplained' })
  end: string;
  end_cents: number;
}

class CurrencyChangeResponse extends ChangeResponse {
  @Count({ example: 4, description: 'How many accounts are added up: those with `compared`.' })
  accounts_count: number;

  @Amount({
    from: 'transferred_minor',
    example: 50_000,
    description: 'What went from one of these accounts to another, which is in neither `money_in` nor `money_out`.',
  })
  transferred: string;
  transferred_cents: number;
}

class AccountChangeResponse extends ChangeResponse {
  @Group(AccountReference)
  account: AccountReference;

  @Flag({
    from: 'is_compared',
    example: true,
    description: 'Whether it is known on all days, and on the day before, so that it is part of the totals.',
  })
  compared: boolean;

  @Day({ example: '2026-03-01', description: 'The first day that is counted of it.' })
  since: string;
}

export class NetWorthChangesResponse {
  @Day({ example: '2026-03-01' })
  start_date: CalendarDate;

  @Day({ example: '2026-03-30' })
  end_date: CalendarDate;

  @List(CurrencyChangeResponse, { description: 'One for each currency, most accounts first.' })
  currencies: CurrencyChangeResponse[];

  @List(AccountChangeResponse, { description: 'Every account that counts on some of these days.' })
  accounts: AccountChangeResponse[];
}

export interface NetWorthChanges {
  startDate: CalendarDate;
  endDate: CalendarDate;
  currencies: readonly CurrencyChange[];
  accounts: readonly AccountChange[];
}

export const toChangesResponse: (changes: NetWorthChanges) => NetWorthChangesResponse =
  responseOf(NetWorthChangesResponse);
