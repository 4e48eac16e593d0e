import { ESTIMATED, KNOWN, UNKNOWN } from './certainty.js';
import type { DayNumber } from './ledger.js';
import type { Reports } from './reports.js';
import type { Frame } from './rows.js';

/**
 * Marks days whose newest balance is, as its provider says, of an earlier day: their own value is unknown. A balance
 * of the day before may be of the day itself in another timezone, so that day is only estimated,
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
