import type { NetWorthHistory } from '../../balances/net-worth/net-worth.service.js';
import type { CalendarDate } from '../../time/calendar-date.js';

export interface NetWorthChange {
  minor: number;
  since: CalendarDate;
  /** The reference point. */
  index: number;
}

export function valuesOf({ points }: NetWorthHistory): number[] {
  return points.map(({ assets, liabilities }) => assets - liabilities);
}

/** The colour of a change. */
export function lookOf({ minor }: NetWorthChange): string {
  return minor === 0 ? '' : minor < 0 ? 'fell' : 'grew';
}

/** Since the first point from which on the same accounts count; `null` when that is the newest or there is none. */
export function changeOf(history: NetWorthHistory): NetWorthChange | null {
  const { points, turns } = history;
  const today = points.at(-1)?.date ?? '';
  const from = turns.findLast((day) => day <= today) ?? '';
  const index = points.findIndex(({ date }) => date >= from);
  if (index < 0 || index >= points.length - 1) return null;
  const values = valuesOf(history);
  return { minor: values.at(-1)! - values[index]!, since: points[index]!.date, index };
}
