import { type CalendarDate, dateOfDayNumber, dayNumber } from '../../platform/time/calendar-date.js';

export const GRANULARITIES = ['day', 'week', 'month'] as const;
export type Granularity = (typeof GRANULARITIES)[number];

/** A range of days, with the first and the last of them. */
export type DateRange = readonly [from: CalendarDate, until: CalendarDate];

/** Days whose balance is uncertain, how, and by how much each may be more or less; `null`: unknown. */
export type UncertainRange = readonly [...DateRange, level: 'estimated' | 'unknown', doubtMinor: number | null];

/** What is stored of an account's balances on some days, in minor units. */
export interface KnownBalances {
  /** The first day with a balance. */
  firstDate: CalendarDate;
  /** A list: of all wanted days from the first on. Otherwise each by its day; `null`: none. */
  balances: readonly number[] | Readonly<Record<CalendarDate, number>> | null;
}

/** An account of the sums. */
interface Counted {
  id: string;
  factor: 1 | -1;
  /** Its last balance, which is carried forward while the account is still synced. */
  lastDate: CalendarDate;
  balance: number;
  isCarriedForward: boolean;
  /** From this day on it does not count; `null`: it counts on every day. */
  leftOutFrom: CalendarDate | null;
  /** Ascending. */
  uncertain: readonly UncertainRange[];
}

/** In minor units of one currency. */
export interface NetWorthPoint {
  date: CalendarDate;
  assets: number;
  liabilities: number;
  /** By how much assets less liabilities may be less, and more, as far as that is known; neither is negative. */
  below: number;
  above: number;
}

/**
 * The sampled days of a period, ascending: every day, every Sunday or every last day of a month, and always the
 * period's last day, so that the newest point is included.
 *
 * @param from day number
 * @param to day number; empty if it is before `from`
 */
export function pointsOf(from: number, to: number, granularity: Granularity): CalendarDate[] {
  const points: CalendarDate[] = [];
  for (let day = from; day <= to; day++) {
    if (day === to || endsPeriod(day, granularity)) points.push(dateOfDayNumber(day));
  }
  return points;
}

function endsPeriod(day: number, granularity: Granularity): boolean {
  switch (granularity) {
    case 'day':
      return true;
    case 'week':
      // Day 0 was a Thursday, so day 3 a Sunday.
      return ((day % 7) + 7) % 7 === 3;
    case 'month':
      return dateOfDayNumber(day + 1).endsWith('-01');
  }
}

/** At most `maxPoints` days of a period, ascending: its first, its last, and evenly spaced ones before that. */
export function evenPoints(from: CalendarDate, to: CalendarDate, maxPoints: number): CalendarDate[] {
  const [first, last] = [dayNumber(from), dayNumber(to)];
  const days = Math.max(0, last - first);
  const step = Math.max(1, Math.ceil(days / (maxPoints - 1)));
  const count = Math.floor(days / step) + 1;
  const points = Array.from({ length: count }, (_, index) => dateOfDayNumber(last - (count - 1 - index) * step));
  return days % step === 0 ? points : [from, ...points];
}

/** TypeScript's own check does not know lists that are only read. */
function isList(balances: KnownBalances['balances']): balances is readonly number[] {
  return Array.isArray(balances);
}

/** The balance of an account on each of the days, `null` where there is none. */
export function balancesOn(days: readonly CalendarDate[], { firstDate, balances }: KnownBalances): (number | null)[] {
  if (!isList(balances)) return days.map((day) => balances?.[day] ?? null);
  const before = days.filter((day) => day < firstDate).length;
  return days.map((_, index) => balances[index - before] ?? null);
}

/** The balance of an account in the sum of a day; `null`: it is not in it. */
export function amountIn(account: Counted, day: CalendarDate, stored: number | null = null): number | null {
  const { lastDate, balance, isCarriedForward, leftOutFrom } = account;
  if (leftOutFrom !== null && leftOutFrom <= day) return null;
  return stored ?? (isCarriedForward && lastDate < day ? balance : null);
}

/** By how much the balance of an account may be more or less, by the index of the day, where that is known. */
function doubtsOn(days: readonly CalendarDate[], { uncertain }: Counted): ReadonlyMap<number, number> {
  const doubts = new Map<number, number>();
  let index = 0;
  for (const [first, last, , doubtMinor] of uncertain) {
    if (doubtMinor === null) continue;
    while (index < days.length && days[index]! < first) index++;
    for (; index < days.length && days[index]! <= last; index++) doubts.set(index, doubtMinor);
  }
  return doubts;
}

/**
 * Assets and liabilities on each day. An account adds nothing before its first record, because its balance is unknown
 * then; the report names the day from which every balance is known.
 *
 * @param balancesOf each account, its balance on each day, or `null`
 */
export function netWorth(
  days: readonly CalendarDate[],
  accounts: readonly Counted[],
  balancesOf: ReadonlyMap<string, readonly (number | null)[]>,
): NetWorthPoint[] {
  const counted = accounts.map((account) => {
    return { account, balances: balancesOf.get(account.id), doubts: doubtsOn(days, account) };
  });
  return days.map((date, index) => {
    let [assets, liabilities, below, above] = [0, 0, 0, 0];
    for (const { account, balances, doubts } of counted) {
      const { factor } = account;
      const amount = amountIn(account, date, balances?.[index]);
      if (amount === null) continue;
      if (factor === 1) assets += amount;
      else liabilities += amount;
      const doubt = (doubts.get(index) ?? 0) * factor;
      if (doubt < 0) below -= doubt;
      else above += doubt;
    }
    return { date, assets, liabilities, below, above };
  });
}
