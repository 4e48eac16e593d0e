import type { BalanceHistory } from './history.js';
import type { DayNumber } from './ledger.js';

/** Every other explanation of the facts that gives the day another balance is far less likely. */
export const KNOWN = 0;
/** Another explanation that gives the day another balance is almost as likely. */
export const ESTIMATED = 1;
/** No fact bears on the balance of the day. */
export const UNKNOWN = 2;

export type Certainty = typeof KNOWN | typeof ESTIMATED | typeof UNKNOWN;

/** Consecutive days of one certainty and one amount in doubt, the last one included. */
export interface CertaintyRange {
  from: DayNumber;
  until: DayNumber;
  certainty: Certainty;
  /** By how much their balance is more or less by the other explanation; `null`: unknown; 0: they are known. */
  doubtMinor: number | null;
}

/** The days of a history in ranges, oldest first. */
export function certaintyRanges(history: Pick<BalanceHistory, 'firstDay' | 'certainty' | 'doubt'>): CertaintyRange[] {
  const { firstDay, certainty, doubt } = history;
  const ranges: CertaintyRange[] = [];
  certainty.forEach((value, row) => {
    const day = firstDay + row;
    const range = ranges.at(-1);
    const doubtMinor = value === KNOWN ? 0 : (value === ESTIMATED && doubt[row]) || null;
    if (range?.certainty === value && range.doubtMinor === doubtMinor) range.until = day;
    else ranges.push({ from: day, until: day, certainty: value as Certainty, doubtMinor });
  });
  return ranges;
}
