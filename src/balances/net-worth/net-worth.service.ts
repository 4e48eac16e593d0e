import { Injectable } from '@nestjs/common';
import { type CalendarDate, dateInTimeZone, dateOfDayNumber, dayNumber } from '../../time/calendar-date.js';
import { balancesOn, netWorth, type NetWorthPoint, pointsOf } from './net-worth.js';
import {
  type CountedAccount,
  countedIn,
  currenciesOf,
  type NetWorthAccounts,
  netWorthWarnings,
} from './net-worth-accounts.js';
import { type AccountBalances, NetWorthRepository } from './net-worth.repository.js';
import type { Caller } from '../../http/caller.js';
import { Clock } from '../../time/clock.js';
import type { NetWorthQuery } from './net-worth.query.js';
import { type NetWorthResponse, toPointResponse } from './net-worth.response.js';

/** A small chart needs no more. */
const MAX_SAMPLES = 40;
/** How many balances one statement reads: about a megabyte, parsed and added up in some milliseconds. */
const MAX_BALANCES = 100_000;

/** Net worth in one currency. The API and the pages show the same points. */
export interface NetWorthHistory {
  currency: string;
  /** The accounts of the sums. */
  accounts: readonly CountedAccount[];
  points: readonly NetWorthPoint[];
  /** From this day on every balance is known. Earlier sums omit accounts that begin later. */
  knownFrom: CalendarDate;
  /** Of each account in this currency, also of those that do not count, its balance on a few of these days, ascending. */
  samplesOf: ReadonlyMap<string, readonly number[]>;
}

@Injectable()
export class NetWorthService {
  constructor(
    private readonly repository: NetWorthRepository,
    private readonly clock: Clock,
  ) {}

  /** @param ids only these; absent: all */
  async accounts(userId: string, ids?: readonly string[]): Promise<NetWorthAccounts> {
    const all = await this.repository.accounts(userId, ids);
    // Mostly every account is listed, so none can be a duplicate of another.
    const mayBeDuplicate = all.some(({ isListed, closedOn }) => !isListed && closedOn === null);
    const duplicates = mayBeDuplicate ? await this.repository.possibleDuplicates(userId) : [];
    return { all, only: ids ? all.map(({ id }) => id) : null, duplicates };
  }

  /**
   * Adds up the accounts of each currency. Currencies are never added to each other.
   *
   * @param daysFrom returns the days to sample, ascending, given the first day with a known balance, and the days from
   * which on the sums have or lack other accounts than before
   * @returns in the order of the currencies, without those of which no account counts
   */
  async read(
    userId: string,
    currencies: readonly string[],
    of: NetWorthAccounts,
    daysFrom: (firstDay: CalendarDate, turns: readonly CalendarDate[]) => readonly CalendarDate[],
  ): Promise<NetWorthHistory[]> {
    const histories = currencies.flatMap((currency): GrowingHistory[] => {
      const { accounts, knownFrom } = countedIn(of, currency);
      const firstDay = accounts.map(({ firstDate }) => firstDate).sort()[0];
      if (firstDay === undefined || knownFrom === null) return [];
      const turns = [knownFrom, ...accounts.flatMap(({ lackedFrom }) => lackedFrom ?? [])];
      return [{ currency, accounts, knownFrom, days: daysFrom(firstDay, turns), points: [], samplesOf: new Map() }];
    });
    const daysAtOnce = Math.ceil(MAX_BALANCES / Math.max(1, of.all.length));
    for (let from = 0; histories.some(({ days }) => days.length > from); from += daysAtOnce) {
      const growing = histories.filter(({ days }) => days.length > from);
      const wanted = growing.map(({ currency, days }) => ({ currency, days: days.slice(from, from + daysAtOnce) }));
      const stored = await this.repository.balances(userId, wanted, of.only);
      growing.forEach((history, index) => append(history, wanted[index]!.days, stored));
    }
    return histories;
  }

  /** In the form of the API. */
  async report(
    { userId, timeZone }: Pick<Caller, 'userId' | 'timeZone'>,
    query: NetWorthQuery,
  ): Promise<NetWorthResponse> {
    const { granularity } = query;
    const accounts = await this.accounts(userId, query.account_id);
    const currency = query.currency ?? currenciesOf(accounts)[0] ?? null;
    const today = dayNumber(dateInTimeZone(this.clock.now(), timeZone));
    const to = query.end_date ? Math.min(dayNumber(query.end_date), today) : today;
    const wanted = currency === null ? [] : [currency];
    const [history] = await this.read(userId, wanted, accounts, (firstDay) => {
      const from = query.start_date ? Math.max(dayNumber(query.start_date), dayNumber(firstDay)) : dayNumber(firstDay);
      return pointsOf(from, to, granularity);
    });
    const points = history?.points ?? [];
    return {
      currency,
      granularity,
      net_worth: points.map((point) => toPointResponse(point, history!.currency)),
      warnings: netWorthWarnings(accounts, currency, points[0]?.date ?? null, dateOfDayNumber(to)),
    };
  }
}

/** A history that has the points of its first days. */
interface GrowingHistory extends NetWorthHistory {
  days: readonly CalendarDate[];
  points: NetWorthPoint[];
  samplesOf: Map<string, number[]>;
}

function append(history: GrowingHistory, days: readonly CalendarDate[], stored: readonly AccountBalances[]): void {
  const { currency, accounts, points, samplesOf } = history;
  const ofCurrency = stored.filter((known) => known.currency === currency);
  const balancesOf = new Map(ofCurrency.map((known) => [known.accountId, balancesOn(days, known)]));
  const lastIndex = history.days.length - 1 - points.length;
  const step = Math.ceil(history.days.length / MAX_SAMPLES);
  for (const [id, balances] of balancesOf) {
    const samples = balances.filter(
      (balance, index) => balance !== null && (lastIndex - index) % step === 0,
    ) as number[];
    samplesOf.set(id, [...(samplesOf.get(id) ?? []), ...samples]);
  }
  for (const point of netWorth(days, accounts, balancesOf)) points.push(point);
}
