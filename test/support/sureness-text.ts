import { certaintyRanges } from '../../src/balances/engine/certainty.js';
import { deriveHistory } from '../../src/balances/engine/derive-history.js';
import { dateOfDayNumber } from '../../src/platform/time/calendar-date.js';
import type { WrittenLedger } from './ledger-text.js';

const NAMES = ['known', 'estimated', 'unknown'];

const dateOf = (day: number) => dateOfDayNumber(day).slice(5);

/** By how much the days in doubt are more or less by the other explanation, such as `03-01..03-04 -25.00`. */
export function doubts(written: WrittenLedger): string[] {
  return certaintyRanges(deriveHistory(written)!)
    .filter(({ doubtMinor }) => doubtMinor !== 0)
    .map(({ from, until, doubtMinor }) => {
      return `${dateOf(from)}..${dateOf(until)} ${doubtMinor === null ? '?' : (doubtMinor / 100).toFixed(2)}`;
    });
}

/** How sure the days of a history are, in ranges such as `03-01..03-04 known`. */
export function sureness(written: WrittenLedger): string[] {
  const history = deriveHistory(written)!;
  return certaintyRanges({ ...history, doubt: new Float64Array(history.length) }).map(
    ({ from, until, certainty }) => `${dateOf(from)}..${dateOf(until)} ${NAMES[certainty]}`,
  );
}
