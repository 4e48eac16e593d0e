import { AccountIdsParameter, CurrencyParameter } from '../../http/input/filter-parameters.js';
import { GivenDay, GivenOneOf } from '../../http/input/given.js';
import { IsNotBefore } from '../../http/input/validators.js';
import type { CalendarDate } from '../../platform/time/calendar-date.js';
import { GRANULARITIES, type Granularity } from './net-worth.js';

export class NetWorthQuery {
  @AccountIdsParameter()
  account_id?: string[];

  @CurrencyParameter('Accounts in this currency; without it, the currency of most accounts')
  currency?: string;

  @CurrencyParameter(
    'Adds all currencies up in this one, each day at the exchange rates of that day; without `currency`',
  )
  in?: string;

  @GivenDay({ optional: true, description: 'The first date, inclusive; without it, the first of the history.' })
  start_date?: CalendarDate;

  @GivenDay({ optional: true, description: 'The last date, inclusive; without it, and at most, today.' })
  @IsNotBefore('start_date')
  end_date?: CalendarDate;

  @GivenOneOf(GRANULARITIES, {
    default: 'day',
    description: 'One point per day, week (as of its Sunday) or month (as of its last day).',
  })
  granularity: Granularity = 'day';
}
