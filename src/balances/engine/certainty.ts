import type { BalanceHistory } from './history.js';
import type { DayNumber } from './ledger.js';

/** Every other explanation of the facts that gives the day another balance is far less likely. */
export const KNOWN = 0;
/** Another explanation that gives the day another balance is almost as likely. */
export const ESTIMATED = 1;
/** No fact bears on the balance of the day. */
export const UNKNOWN = 2;

export type Certainty = typeof KNOWN | typeof ESTIMATED | typeof UNKNOWN;

/** Consecutive days of one certainty, the last one included. */
export interface CertaintyRange {
  from: DayNumber;
  until: DayNumber;
  certainty: Certainty;
}

/** The days of a history in ranges of one certainty, oldest first. */
export function certaintyRanges({ firstDay, certainty }: Pick<BalanceHistory, 'firstDay' | 'certainty'>) {
  const ranges: CertaintyRange[] = [];
  certainty.forEach((value, row) => {
    const day = firstDay + row;
    const range = ranges.at(-1);
    if (range?.certainty === value) range.until = day;
    else ranges.push({ from: day, until: day, certainty: value as Certainty });
  });
  return ranges;
}
