import type { CalendarDate } from '../../platform/time/calendar-date.js';

/** An account's daily balances and changes from `firstDay` on, in minor units. */
export interface AccountSeries {
  firstDay: CalendarDate;
  cash: readonly number[];
  nonCash: readonly number[];
  /** Net flows of cash and securities; moves between the two parts cancel out. */
  flows: readonly number[];
  market: readonly number[];
  /** Changes that no transaction explains. */
  adjustments: readonly number[];
  /** All that came into the account and all that went out of it, not negative. */
  moneyIn: number;
  moneyOut: number;
}

/** The balance: cash and non-cash. */
export function totals({ cash, nonCash }: AccountSeries): number[] {
  return cash.map((minor, i) => minor + (nonCash[i] ?? 0));
}

/** The balance at the start of `firstDay`. */
export function startBalance({ cash, nonCash, flows, market, adjustments }: AccountSeries): number {
  const first = (values: readonly number[]) => values[0] ?? 0;
  return first(cash) + first(nonCash) - first(flows) - first(market) - first(adjustments);
}

/** Running sums, from 0 before the first day. */
export function runningSums(values: readonly number[]): number[] {
  let sum = 0;
  return values.map((value) => (sum += value));
}

/** Whether any value is not zero. */
export function hasAny(values: readonly number[]): boolean {
  return values.some((value) => value !== 0);
}
