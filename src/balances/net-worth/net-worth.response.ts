import { AccountReference } from '../accounts/account-reference.response.js';
import { Amount, Day, Group, Id, List, OneOf, responseOf, Text, Texts } from '../../http/members.js';
import { GRANULARITIES, type Granularity, type NetWorthPoint } from './net-worth.js';

/** `null`: nothing of the day is known in the wanted currency. */
type ShownPoint = NetWorthPoint | (Omit<NetWorthPoint, 'assets' | 'liabilities'> & { assets: null; liabilities: null });

/** @param more what it may be beside that */
const worthOf = (point: ShownPoint, more = 0) =>
  point.assets === null ? null : point.assets - point.liabilities + more;

class NetWorthPointResponse {
  @Day({ example: '2026-03-31', description: 'The day it is as of.' })
  date: string;

  @Amount({
    from: 'assets',
    nullable: true,
    example: 1234567,
    description: 'What all asset accounts hold. `null`, with `in` only: of that day no exchange rate is known.',
  })
  assets: string | null;
  assets_cents: number | null;

  @Amount({
    from: 'liabilities',
    nullable: true,
    example: 234567,
    description: 'What is owed on all liability accounts. `null` like `assets`.',
  })
  liabilities: string | null;
  liabilities_cents: number | null;

  @Amount({
    from: (point: ShownPoint) => worthOf(point),
    nullable: true,
    example: 1000000,
    description: 'Assets less liabilities. `null` like both.',
  })
  net_worth: string | null;
  net_worth_cents: number | null;

  @Amount({
    from: (point: ShownPoint) => worthOf(point, -point.below),
    nullable: true,
    example: 997500,
    description:
      'The least that it may be: each account that is in doubt has the other of its two balances, if that makes it ' +
      'less. An account in doubt by an unknown amount is not part of it; `warnings` and its reconciliation name it.',
  })
  lowest: string | null;
  lowest_cents: number | null;

  @Amount({
    from: (point: ShownPoint) => worthOf(point, point.above),
    nullable: true,
    example: 1000000,
    description: 'The most that it may be, likewise.',
  })
  highest: string | null;
  highest_cents: number | null;

  @Day({
    from: 'ratesAsOf',
    required: false,
    nullable: true,
    example: '2026-03-31',
    description:
      'With `in` only. The day of the exchange rates, the oldest one if they are of several days: there are none at ' +
      'weekends. `null`: no rate was needed, or those needed are fixed for ever.',
  })
  rates_as_of?: string | null;
}

const NET_WORTH_WARNINGS = [
  'other_currency',
  'no_history',
  'begins_later',
  'carried_forward',
  'ends_earlier',
  'excluded',
  'closed',
  'possible_duplicate',
  'estimated',
  'no_rate',
  'rates_outdated',
] as const;

export class NetWorthWarning {
  @OneOf(NET_WORTH_WARNINGS, {
    example: 'other_currency',
    description:
      '`other_currency`: not in the sums, or not on the days on which it was in another currency, since no exchange ' +
      'rate is known. `no_history`: not in the sums, since no ' +
      'balance was ever reported or the currency has no minor unit. `begins_later`: not in the sums before its ' +
      'first known day. `carried_forward`: in the sums with its last balance after its last known day. `ends_earlier`: ' +
      'no longer synced, and not in the sums after its last known day, although its balance then was not 0. ' +
      '`estimated`: the number of its days that are not certain, with those carried forward; its reconciliation lists ' +
      'the others. `excluded`: you left it out. ' +
      '`closed`: not in the sums after its last day, although its last balance is not 0. `possible_duplicate`: not ' +
      'in the sums from the first day of the account that may be the same one; merge the two or keep them separate. ' +
      'With `in` only: `no_rate`: not in the sums on days without an exchange rate. `rates_outdated`: newer ' +
      'exchange rates could not be fetched; it names no account.',
  })
  kind: (typeof NET_WORTH_WARNINGS)[number];

  @Id({ nullable: true, example: '7b0c1f5e-2f4d-4c1e-9a53-0d7f6c1b2a90' })
  account_id: string | null;

  @Text({ nullable: true, example: 'Euro Savings' })
  account_name: string | null;

  @Text({ example: 'Euro Savings is in EUR and not part of the sums, which are in one currency.' })
  message: string;
}

/** What an account adds to the last point. */
class AccountTotalResponse {
  @Group(AccountReference)
  account: AccountReference;

  @Text({ example: 'USD', description: 'Of the account, also with `in`.' })
  currency: string;

  @Amount({ example: -234567, description: 'Of a liability, negative.' })
  net_worth: string;
  net_worth_cents: number;
}

/** A row of it. */
export interface AccountTotal {
  account_id: string;
  account_name: string;
  currency: string;
  net_worth_minor: number;
}

export class NetWorthResponse {
  @Text({ nullable: true, example: 'USD', description: '`null`: there is no history at all.' })
  currency: string | null;

  @Texts({
    example: ['USD', 'EUR'],
    description: 'In which accounts that count are now, that of most accounts first: each can be asked for.',
  })
  currencies: string[];

  @OneOf(GRANULARITIES, { example: 'month' })
  granularity: Granularity;

  @Day({
    required: false,
    nullable: true,
    example: '2026-03-31',
    description:
      'With `in` only. The newest day of which exchange rates are known; `null`: none are, or none was needed.',
  })
  rates_as_of?: string | null;

  @List(NetWorthPointResponse, {
    description: 'Oldest first; the last point is the last day asked for.',
  })
  net_worth: NetWorthPointResponse[];

  @List(AccountTotalResponse, {
    description:
      'What each account adds to the last point, in its own currency: with `in` the point is their sum after the exchange.',
  })
  accounts: AccountTotalResponse[];

  @List(NetWorthWarning, { description: 'Accounts that the sums leave out or estimate.' })
  warnings: NetWorthWarning[];
}

const pointOf = responseOf(NetWorthPointResponse);

export function toPointResponse(point: ShownPoint, currency: string): NetWorthPointResponse {
  return pointOf({ ...point, currency });
}

export const toTotalResponse: (row: AccountTotal) => AccountTotalResponse = responseOf(AccountTotalResponse);
