import { certaintyRanges } from '../../src/balances/engine/certainty.js';
import { deriveHistory } from '../../src/balances/engine/derive-history.js';
import { dateOfDayNumber } from '../../src/platform/time/calendar-date.js';
import type { WrittenLedger } from './ledger-text.js';

const NAMES = ['known', 'estimated', 'unknown'];

/** How sure the days of a history are, in ranges such as `03-01..03-04 known`. */
export function sureness(written: WrittenLedger): string[] {
  const date = (day: number) => dateOfDayNumber(day).slice(5);
  return certaintyRanges(deriveHistory(written)!).map(
    ({ from, until, certainty }) => `${date(from)}..${date(until)} ${NAMES[certainty]}`,
  );
}
