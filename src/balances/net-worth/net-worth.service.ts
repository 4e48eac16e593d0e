import { EntityManager } from '@mikro-orm/postgresql';
import { Inject, Injectable, Optional } from '@nestjs/common';
import { atOneMoment } from '../../database/one-moment.js';
import { type CalendarDate, dateInTimeZone, dateOfDayNumber, dayNumber } from '../../platform/time/calendar-date.js';
import { amountIn, balancesOn, type Granularity, netWorth, type NetWorthPoint, pointsOf } from './net-worth.js';
import {
  type CountedAccount,
  countedIn,
  currenciesEver,
  currenciesOf,
  type NetWorthAccounts,
  netWorthWarnings,
} from './net-worth-accounts.js';
import { type AccountBalances, NetWorthRepository } from './net-worth.repository.js';
import type { Caller } from '../../http/caller.js';
import { Clock } from '../../platform/time/clock.js';
import type { NetWorthQuery } from './net-worth.query.js';
import { type AccountTotal, type NetWorthResponse, toPointResponse, toTotalResponse } from './net-worth.response.js';
import { minorDigits } from '../../platform/money/currency.js';
import { validationFailed } from '../../platform/domain-error.js';
import { ExchangeRates, type KnownRates } from './exchange-rates.js';
import { exchange, rateWarnings, type Sums } from './exchanged-net-worth.js';

/** How many balances one statement reads: about a megabyte, parsed and added up in some milliseconds. */
const MAX_BALANCES = 100_000;

/** What is added up: accounts of one currency, on these days, ascending. */
interface Line {
  accounts: readonly CountedAccount[];
  days: readonly CalendarDate[];
}

/** The sums of one currency. */
export type NetWorthHistory<Wanted extends Line = Line> = Wanted & {
  currency: string;
  points: readonly NetWorthPoint[];
  /** The accounts in the last point. */
  last: readonly AccountTotal[];
};

export interface WantedSums<Wanted extends Line> {
  /** The currencies to add up, given the accounts. */
  currencies: (of: NetWorthAccounts) => readonly string[];
  /**
   * What to add up of a currency.
   *
   * @param accounts of the currency, at least one
   * @param all of all wanted currencies
   */
  line: (accounts: readonly CountedAccount[], all: readonly CountedAccount[]) => Wanted;
}

export interface NetWorth<Wanted extends Line> {
  accounts: NetWorthAccounts;
  histories: readonly NetWorthHistory<Wanted>[];
}

@Injectable()
export class NetWorthService {
  constructor(
    private readonly em: EntityManager,
    private readonly repository: NetWorthRepository,
    private readonly clock: Clock,
    @Optional() @Inject(ExchangeRates) private readonly rates: ExchangeRates | null,
  ) {}

  /**
   * Adds up the accounts of each currency, all as of one moment. Currencies are never added to each other.
   *
   * @param ids only these accounts; absent: all
   * @returns the accounts, and the histories in the order of the currencies, without those of which no account counts
   */
  read<Wanted extends Line>(
    userId: string,
    wanted: WantedSums<Wanted>,
    ids?: readonly string[],
  ): Promise<NetWorth<Wanted>> {
    return atOneMoment(this.em, async () => {
      const accounts = await this.readAccounts(userId, ids);
      return { accounts, histories: await this.#addUp(userId, wanted, accounts) };
    });
  }

  /** What {@link read} adds up, without the sums. */
  readAccounts(userId: string, ids?: readonly string[]): Promise<NetWorthAccounts> {
    return atOneMoment(this.em, async () => {
      const all = await this.repository.accounts(userId, ids);
      // Mostly every account is listed, so none can be a duplicate of another.
      const mayBeDuplicate = all.some(({ isListed, closedOn }) => !isListed && closedOn === null);
      const duplicates = mayBeDuplicate ? await this.repository.possibleDuplicates(userId) : [];
      return { all, only: ids ? all.map(({ id }) => id) : null, duplicates };
    });
  }

  async #addUp<Wanted extends Line>(
    userId: string,
    { currencies, line }: WantedSums<Wanted>,
    of: NetWorthAccounts,
  ): Promise<NetWorthHistory<Wanted>[]> {
    const counted = currencies(of).map((currency) => ({ currency, accounts: countedIn(of, currency) }));
    const all = counted.flatMap(({ accounts }) => accounts);
    const histories = counted.flatMap(({ currency, accounts }) => {
      if (accounts.length === 0) return [];
      return [{ ...line(accounts, all), currency, points: [] as NetWorthPoint[], last: [] }];
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
    if (query.in) this.#refuseToExchange(query, query.in);
    const currencies = (of: NetWorthAccounts) => {
      if (query.in) return currenciesEver(of);
      return query.currency ? [query.currency] : currenciesOf(of).slice(0, 1);
    };
    const line = (accounts: readonly CountedAccount[]) => {
      const firstDay = dayNumber(accounts.map(({ firstDate }) => firstDate).sort()[0]!);
      const from = query.start_date ? Math.max(dayNumber(query.start_date), firstDay) : firstDay;
      return { accounts, days: pointsOf(from, to, granularity) };
    };
    const { accounts, histories } = await this.read(userId, { currencies, line }, query.account_id);
    if (query.in) return this.#reportIn(query.in, granularity, accounts, histories, dateOfDayNumber(to));
    const [currency = null] = currencies(accounts);
    const [history] = histories;
    const points = history?.points ?? [];
    return {
      currency,
      currencies: currenciesOf(accounts),
      granularity,
      net_worth: points.map((point) => toPointResponse(point, history!.currency)),
      accounts: (history?.last ?? []).map(toTotalResponse),
      warnings: netWorthWarnings(accounts, currencies(accounts), points[0]?.date ?? null, dateOfDayNumber(to)),
    };
  }

  /** @throws DomainError `validation_failed` */
  #refuseToExchange({ currency }: NetWorthQuery, into: string): void {
    if (!this.rates) throw validationFailed(['in needs a module with exchange rates, and none is installed']);
    if (minorDigits(into) === undefined) throw validationFailed(['in must be a currency code such as EUR']);
    if (currency) throw validationFailed(['currency must not be given together with in, which adds all currencies up']);
  }

  async #reportIn(
    into: string,
    granularity: Granularity,
    { all, ...of }: NetWorthAccounts,
    histories: readonly NetWorthHistory[],
    until: CalendarDate,
  ): Promise<NetWorthResponse> {
    const rates = await this.ratesInto(into, histories);
    const { points, lacking, unknown } = exchange(histories, into, rates);
    // An account that was in another currency meanwhile counts on these days, too.
    const accounts = { ...of, all: all.map((account) => ({ ...account, gaps: [] })) };
    return {
      currency: into,
      currencies: currenciesOf(accounts),
      granularity,
      rates_as_of: rates?.asOf ?? null,
      net_worth: points.map((point) =>
        toPointResponse(unknown.has(point.date) ? { ...point, ...UNKNOWN } : point, into),
      ),
      accounts: histories.flatMap(({ last }) => last).map(toTotalResponse),
      warnings: [
        ...netWorthWarnings(accounts, currenciesEver(accounts), points[0]?.date ?? null, until),
        ...rateWarnings(accounts, lacking, rates),
      ],
    };
  }

  /** Whether currencies can be exchanged. */
  get hasRates(): boolean {
    return this.rates !== null;
  }

  /** The rates for these sums; `null`: no other currency has a sum, and nobody is asked for rates. */
  async ratesInto(into: string, sums: readonly Sums[]): Promise<KnownRates | null> {
    const isWorth = ({ assets, liabilities, below, above }: NetWorthPoint) =>
      (assets || liabilities || below || above) !== 0;
    const others = sums.filter(({ currency, points }) => currency !== into && points.some(isWorth));
    const days = others.flatMap(({ points }) => points.map(({ date }) => date)).sort();
    if (!this.rates || days.length === 0) return null;
    const from = [...new Set(others.map(({ currency }) => currency))];
    return this.rates.read({ from, into, firstDay: days[0]!, lastDay: days.at(-1)! });
  }
}

const UNKNOWN = { assets: null, liabilities: null } as const;

/** A history that has the points of its first days. */
interface GrowingHistory extends NetWorthHistory {
  points: NetWorthPoint[];
  last: readonly AccountTotal[];
}

function append(history: GrowingHistory, days: readonly CalendarDate[], stored: readonly AccountBalances[]): void {
  const { currency, accounts, points } = history;
  const ofCurrency = stored.filter((known) => known.currency === currency);
  const balancesOf = new Map<string, (number | null)[]>();
  for (const known of ofCurrency) {
    const balances = balancesOn(days, known);
    const others = balancesOf.get(known.accountId);
    balancesOf.set(known.accountId, others ? balances.map((balance, day) => balance ?? others[day]!) : balances);
  }
  for (const point of netWorth(days, accounts, balancesOf)) points.push(point);
  history.last = accounts.flatMap(({ id, name, factor, ...account }) => {
    const amount = amountIn({ id, factor, ...account }, days.at(-1)!, balancesOf.get(id)?.at(-1));
    return amount === null
      ? []
      : [{ account_id: id, account_name: name, currency, net_worth_minor: amount * factor + 0 }];
  });
}
