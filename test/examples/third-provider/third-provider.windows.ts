import {
  overlapFrom,
  type TransactionHistory,
  type Wanted,
  type Window,
} from '../../../src/bank-provider/transaction-history.js';
import { addDays, earliest, latest } from '../../../src/time/calendar-date.js';

/** The provider answers for so many days at once. */
const WINDOW_DAYS = 90;
/** Banks behind this provider list a transaction up to a week late. */
export const OVERLAP_DAYS = 7;

/** The window that ends now. A first sync asks for a whole one, a later one for the days since, and the overlap. */
export function newestWindow({ today, historyFrom, completeUntil, partlyKnown }: Wanted): Window {
  const known = [...completeUntil.values(), ...[...(partlyKnown?.values() ?? [])].map(({ until }) => until)];
  const needed = known.map((day) => overlapFrom(day, historyFrom, OVERLAP_DAYS));
  const oldest = needed.length > 0 ? earliest(...needed) : historyFrom;
  return { from: latest(addDays(today, 1 - WINDOW_DAYS), oldest), until: null };
}

/** The newest part that some account still lacks; `null`: none lacks any. */
export function nextWindow(histories: readonly TransactionHistory[]): Window | null {
  const missing = histories.map((history) => history.missing).filter((part) => part !== null);
  if (missing.length === 0) return null;
  const until = latest(...missing.map((part) => part.until));
  const oldest = earliest(...missing.map((part) => part.from));
  return { from: latest(addDays(until, -WINDOW_DAYS), oldest), until };
}
