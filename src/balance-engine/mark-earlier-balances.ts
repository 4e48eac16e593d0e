import { ESTIMATED, KNOWN, UNKNOWN } from './certainty.js';
import type { DayNumber } from './ledger.js';
import type { Reports } from './reports.js';
import type { Frame } from './rows.js';

/**
 * Marks the days of what the market moves whose newest balance is of an earlier day, as its provider says: what it was
 * worth on that day nobody told. That of the day before may be of the day itself, as it is written in another time zone,
 * unless an earlier sync brought it already.
 */
export function markEarlierBalances({ firstDay, certainty }: Frame, { count, day, balanceDay }: Reports): void {
  const found = new Map<DayNumber, number>();
  let newest = -Infinity;
  for (let index = 0; index < count; index++) {
    const days = day[index]! - balanceDay[index]!;
    const isNew = balanceDay[index]! > newest;
    found.set(day[index]!, !(days > 0) ? KNOWN : days === 1 && isNew ? ESTIMATED : UNKNOWN);
    if (isNew) newest = balanceDay[index]!;
  }
  for (const [on, value] of found) certainty[on - firstDay] = Math.max(value, certainty[on - firstDay]!);
}
