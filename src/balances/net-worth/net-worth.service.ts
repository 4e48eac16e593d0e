import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { atOneMoment } from '../../database/one-moment.js';
import {
  addDays,
  type CalendarDate,
  dateInTimeZone,
  dateOfDayNumber,
  dayNumber,
} from '../../platform/time/calendar-date.js';
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
import { Clock } from '../../platform/time/clock.js';
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
  /** The days from which on the sums have or lack other accounts than before. */
  turns: readonly CalendarDate[];
}

interface WantedSums {
  /** The currencies to add up, given the accounts. */
  currencies: (of: NetWorthAccounts) => readonly string[];
  /** The days to sample, ascending, given the first day with a known balance, and the turns. */
  daysFrom: (firstDay: CalendarDate, turns: readonly CalendarDate[]) => readonly CalendarDate[];
}

interface NetWorth {
  accounts: NetWorthAccounts;
  histories: readonly NetWorthHistory[];
}

@Injectable()
export class NetWorthService {
  constructor(
    private readonly em: EntityManager,
    private readonly repository: NetWorthRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Adds up the accounts of each currency, all as of one moment. Currencies are never added to each other.
   *
   * @param ids only these accounts; absent: all
   * @returns the accounts, and the histories in the order of the currencies, without those of which no account counts
   */
  read(userId: string, wanted: WantedSums, ids?: readonly string[]): Promise<NetWorth> {
    return atOneMoment(this.em, async () => {
      const accounts = await this.#readAccounts(userId, ids);
      return { accounts, histories: await this.#addUp(userId, wanted, accounts) };
    });
  }

  async #readAccounts(userId: string, ids?: readonly string[]): Promise<NetWorthAccounts> {
    const all = await this.repository.accounts(userId, ids);
    // Mostly every account is listed, so none can be a duplicate of another.
    const mayBeDuplicate = all.some(({ isListed, closedOn }) => !isListed && closedOn === null);
    const duplicates = mayBeDuplicate ? await this.repository.possibleDuplicates(userId) : [];
    return { all, only: ids ? all.map(({ id }) => id) : null, duplicates };
  }

  async #addUp(userId: string, { currencies, daysFrom }: WantedSums, of: NetWorthAccounts): Promise<NetWorthHistory[]> {
    const histories = currencies(of).flatMap((currency): GrowingHistory[] => {
      const { accounts, knownFrom } = countedIn(of, currency);
      const firstDay = accounts.map(({ firstDate }) => firstDate).sort()[0];
      if (firstDay === undefined || knownFrom === null) return [];
      const turns = [knownFrom, ...accounts.flatMap(turnsOf)].sort();
      const days = daysFrom(firstDay, turns);
      return [{ currency, accounts, knownFrom, turns, days, points: [], samplesOf: new Map() }];
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
    const today = dayNumber(dateInTimeZone(this.clock.now(), timeZone));
    const to = query.end_date ? Math.min(dayNumber(query.end_date), today) : today;
    const currencies = (of: NetWorthAccounts) => (query.currency ? [query.currency] : currenciesOf(of).slice(0, 1));
    const daysFrom = (firstDay: CalendarDate) => {
      const from = query.start_date ? Math.max(dayNumber(query.start_date), dayNumber(firstDay)) : dayNumber(firstDay);
      return pointsOf(from, to, granularity);
    };
    const { accounts, histories } = await this.read(userId, { currencies, daysFrom }, query.account_id);
    const [currency = null] = currencies(accounts);
    const [history] = histories;
    const points = history?.points ?? [];
    return {
      currency,
      granularity,
      net_worth: points.map((point) => toPointResponse(point, history!.currency)),
      warnings: netWorthWarnings(accounts, currency, points[0]?.date ?? null, dateOfDayNumber(to)),
    };
  }
}

/** The days from which on the sums lack an account or have it again. */
function turnsOf({ lacked, lastDate }: CountedAccount): CalendarDate[] {
  return lacked.map(([first, last]) => (first > lastDate ? first : addDays(last, 1)));
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
  const balancesOf = new Map<string, (number | null)[]>();
  for (const known of ofCurrency) {
    const balances = balancesOn(days, known);
    const others = balancesOf.get(known.accountId);
    balancesOf.set(known.accountId, others ? balances.map((balance, day) => balance ?? others[day]!) : balances);
  }
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
