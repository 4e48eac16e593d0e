import type { CalendarDate } from '../../time/calendar-date.js';

/** What an account was worth and what moved it, one figure a day from `firstDay` on. Minor units. */
export interface AccountSeries {
  firstDay: CalendarDate;
  cash: readonly number[];
  nonCash: readonly number[];
  /** What flows of money and securities did to the balance; moves between the two parts cancel out. */
  flows: readonly number[];
  market: readonly number[];
  /** What no transaction explains. */
  adjustments: readonly number[];
}

/** The balance: both parts together. */
export function totals({ cash, nonCash }: AccountSeries): number[] {
  return cash.map((minor, i) => minor + (nonCash[i] ?? 0));
}

/** What the balance was before anything of `firstDay` moved it. */
export function startOf({ cash, nonCash, flows, market, adjustments }: AccountSeries): number {
  const first = (values: readonly number[]) => values[0] ?? 0;
  return first(cash) + first(nonCash) - first(flows) - first(market) - first(adjustments);
}

/** Running sums, from 0 before the first day. */
export function runningSums(values: readonly number[]): number[] {
  let sum = 0;
  return values.map((value) => (sum += value));
}

/** Whether there is ever anything but zero. */
export function hasAny(values: readonly number[]): boolean {
  return values.some((value) => value !== 0);
}
