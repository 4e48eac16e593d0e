import type { KnownRates } from '../../balances/net-worth/exchange-rates.js';
import { exchange, problemOf } from '../../balances/net-worth/exchanged-net-worth.js';
import type { AccountChange, Changes, CurrencyChange } from '../../balances/net-worth/net-worth-changes.js';
import type { Contribution } from '../../balances/net-worth/net-worth-accounts.js';
import type { CalendarDate } from '../../platform/time/calendar-date.js';
import type { PendingTotal } from '../../balances/transactions/transactions.repository.js';
import { Notice } from '../components/notice.js';
import { Day } from '../components/when.js';
import {
  type AccountFigures,
  type ComparedHistory,
  type LackingAccount,
  type Totals,
  totalsOf,
} from './account-figures.js';

/** What the overview shows of all currencies in one. */
export interface OneCurrency {
  history: ComparedHistory;
  /** `null`: there is nothing to compare. */
  why: CurrencyChange | null;
  figures: AccountFigures;
  /** Of today. */
  today: AccountFigures;
  /** Of the accounts of today; `null`: none, or not all can be exchanged. */
  pending: Omit<PendingTotal, 'currency'> | null;
  /** As in the API. */
  totals: Totals;
  totalToday: number;
  ratesAsOf: CalendarDate | null;
  rates: KnownRates | null;
  /** The accounts without a rate. */
  lacking: readonly LackingAccount[];
}

/** The sums of the day of each currency. */
export function sumsOfDay(figures: AccountFigures) {
  const currencies = new Set([...figures.contributions.values()].map(({ currency }) => currency));
  return [...currencies].map((currency) => {
    const { assets, debts } = totalsOf({ currency }, figures);
    return { currency, points: [{ date: figures.day, assets, liabilities: -debts, below: 0, above: 0 }] };
  });
}

/**
 * @param histories of the same days, at least one
 * @param figures of their last day
 */
export function inOneCurrency(
  histories: readonly ComparedHistory[],
  figures: AccountFigures,
  today: AccountFigures,
  pending: readonly PendingTotal[],
  changes: Changes,
  into: string,
  rates: KnownRates | null,
): OneCurrency {
  const [first] = histories;
  const history: ComparedHistory = {
    ...first!,
    currency: into,
    accounts: histories.flatMap(({ accounts }) => accounts),
    later: histories.flatMap(({ later }) => later),
    points: exchange(histories, into, rates).points,
  };
  const { contributions, lacking } = contributionsIn(into, figures, rates);
  const { ratesAsOf, ...totals } = totalsIn(into, figures, rates);
  const totalToday = totalsIn(into, today, rates).total;
  const why = whyIn(history, changes.currencies, rates);
  const moved = changes.accounts.flatMap((change) => movedIn(history, change, rates));
  const shown = { ...figures, contributions, changes: moved };
  const shownToday = { ...today, contributions: contributionsIn(into, today, rates).contributions, currencies: [into] };
  return {
    history,
    why,
    figures: shown,
    today: shownToday,
    pending: pendingIn(into, pending, today.day, rates),
    totals,
    totalToday,
    ratesAsOf,
    rates,
    lacking,
  };
}

/** What each account contributes, and the accounts without a rate. */
function contributionsIn(into: string, figures: AccountFigures, rates: KnownRates | null) {
  const contributions = new Map<string, Contribution>();
  const lacking: LackingAccount[] = [];
  for (const [id, { accountId, currency, amountMinor }] of figures.contributions) {
    const exchanged = exchange([alone(currency, figures.day, amountMinor)], into, rates);
    const name = figures.names.get(id) ?? '';
    if (exchanged.lacking.size > 0) lacking.push({ name, why: `no rate of ${currency}`, isChosen: false });
    else contributions.set(id, { accountId, currency: into, amountMinor: exchanged.points[0]!.assets });
  }
  return { contributions, lacking };
}

function pendingIn(into: string, pending: readonly PendingTotal[], day: CalendarDate, rates: KnownRates | null) {
  const own = pending.map(({ currency, amountMinor }) => alone(currency, day, amountMinor));
  const { points, lacking } = exchange(own, into, rates);
  if (!points[0] || lacking.size > 0) return null;
  return { count: pending.reduce((sum, { count }) => sum + count, 0), amountMinor: points[0].assets };
}

function alone(currency: string, date: CalendarDate, assets: number) {
  return { currency, points: [{ date, assets, liabilities: 0, below: 0, above: 0 }] };
}

function totalsIn(into: string, figures: AccountFigures, rates: KnownRates | null) {
  const [point] = exchange(sumsOfDay(figures), into, rates).points;
  const { assets = 0, liabilities = 0, ratesAsOf = null } = point ?? {};
  return { total: assets - liabilities, assets, debts: -liabilities, ratesAsOf };
}

/** Amounts are at the rates of the last day; what the rates themselves have changed is what is left. */
function whyIn({ currency, points }: ComparedHistory, changes: readonly CurrencyChange[], rates: KnownRates | null) {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || first === last || changes.length === 0) return null;
  const sum = (assets: (change: CurrencyChange) => number, debts: (change: CurrencyChange) => number = () => 0) => {
    const all = changes.map((change) => {
      const point = { date: last.date, assets: assets(change), liabilities: debts(change), below: 0, above: 0 };
      return { currency: change.currency, points: [point] };
    });
    return exchange(all, currency, rates).points[0]!;
  };
  const { assets: moneyInMinor, liabilities: moneyOutMinor } = sum(
    (change) => change.moneyInMinor,
    (change) => change.moneyOutMinor,
  );
  const { assets: marketMinor, liabilities: unexplainedMinor } = sum(
    (change) => change.marketMinor,
    (change) => change.unexplainedMinor,
  );
  const { assets: valuesGivenMinor } = sum((change) => change.valuesGivenMinor);
  const { assets: fromOthersMinor, liabilities: toOthersMinor } = sum(
    (change) => change.fromOthersMinor,
    (change) => change.toOthersMinor,
  );
  const [startMinor, endMinor] = [first.assets - first.liabilities, last.assets - last.liabilities];
  const explained = moneyInMinor - moneyOutMinor + marketMinor + unexplainedMinor;
  return {
    currency,
    accountsCount: changes.reduce((count, { accountsCount }) => count + accountsCount, 0),
    transferredMinor: sum(({ transferredMinor }) => transferredMinor).assets,
    toOthersMinor,
    fromOthersMinor,
    startMinor,
    moneyInMinor,
    moneyOutMinor,
    marketMinor,
    unexplainedMinor,
    valuesGivenMinor,
    endMinor,
    ratesMinor: endMinor - startMinor - explained,
  };
}

/** An account in the currency of all, unless a rate is missing. */
function movedIn(
  { currency, points }: ComparedHistory,
  change: AccountChange,
  rates: KnownRates | null,
): AccountChange[] {
  const days = [points[0], points.at(-1)].map((point) => point!.date) as [CalendarDate, CalendarDate];
  const own = [change.startMinor, change.endMinor].map((assets, at) => ({
    date: days[at]!,
    assets,
    liabilities: 0,
    below: 0,
    above: 0,
  }));
  const { points: both, lacking } = exchange([{ currency: change.currency, points: own }], currency, rates);
  if (both.length < 2 || lacking.size > 0) return [];
  const [startMinor, endMinor] = both.map(({ assets }) => assets) as [number, number];
  return [{ ...change, currency, startMinor, endMinor }];
}

/** Below the figure. */
export function RatesNote({ ratesAsOf }: Pick<OneCurrency, 'ratesAsOf'>) {
  if (ratesAsOf === null) return null;
  return (
    <p class="quiet">
      at the reference rates of <Day date={ratesAsOf} />, earlier days at theirs
    </p>
  );
}

/** Where newer rates could not be fetched. */
export function RatesProblem({ rates }: Pick<OneCurrency, 'rates'>) {
  const problem = rates && problemOf(rates);
  return problem ? <Notice kind="warn">{problem}</Notice> : null;
}
