import { addDays, type CalendarDate, daysBetween } from '../../time/calendar-date.js';
import { MAX_DAYS_MOVED } from '../../balance-engine/ledger.js';
import type { Listing, Row } from './rows.js';

/** So many withdrawals are plausible even if they are all that an answer covers. */
const MAX_UNQUESTIONED_WITHDRAWALS = 2;
/** The largest plausible share of withdrawals among the transactions that an answer covers. */
const MAX_WITHDRAWN_SHARE = 0.5;
/** A first row that is followed by fewer days may belong to the rows after it. */
const ISOLATED_DAYS = 31;

/** At least and at most, where too much is missing. */
export interface ListingCounts {
  /** How many transactions of the covered days are missing without a replacement. */
  missingCount: number;
  /** How many stored transactions the answer still lists. */
  listedCount: number;
}

/**
 * Finds the stored posted transactions that an answer withdraws, because it is complete, covers their day and does not
 * list them. It withdraws nothing
 * - when it is partial or empty, or has rows that could not be read;
 * - on its first covered days, because the bank may have moved a transaction to a day before them, and after today;
 * - before the first day that it really lists, because many banks show only their last 90 days or so, and on that day
 *   either when older transactions are missing: such a list may begin in the middle of a day.
 *
 * @param missing stored rows that the answer does not list
 * @param today in UTC
 */
export function findWithdrawn<Missing extends Row>(
  missing: readonly Missing[],
  { transactions, complete, coveredFrom, unreadableRows }: Listing,
  today: CalendarDate,
): Missing[] {
  if (!complete || coveredFrom === null || unreadableRows > 0) return [];
  const settledFrom = addDays(coveredFrom, MAX_DAYS_MOVED);
  const covered = missing.filter(({ pending, date }) => !pending && date > settledFrom && date <= today);
  const listed = transactions.filter(({ pending, date }) => !pending && date >= coveredFrom);
  const firstListed = firstDayOfList(listed, covered);
  if (firstListed === null) return [];
  const isRolling = covered.some(({ date }) => date < firstListed);
  return covered.filter(({ date }) => (isRolling ? date > firstListed : date >= firstListed));
}

/** Whether an answer may withdraw so many transactions without replacing them, and still list so many of the same days. */
export function isPlausible({ missingCount, listedCount }: ListingCounts): boolean {
  const most = (missingCount + listedCount) * MAX_WITHDRAWN_SHARE;
  return missingCount <= MAX_UNQUESTIONED_WITHDRAWALS || missingCount <= most;
}

/**
 * The first day that a list really covers; `null`: it is empty. Rows before a gap do not belong to it if more are missing in
 * the gap than are listed before it, or as many in more than a month: some banks list a few old rows beside the last days.
 */
function firstDayOfList(listed: readonly Row[], missing: readonly Row[]): CalendarDate | null {
  const days = daysOf(listed);
  const missingDays = daysOf(missing);
  let first = days[0] ?? null;
  let next = 0;
  for (const [index, day] of days.slice(1).entries()) {
    const before = days[index]!;
    while (next < missingDays.length && missingDays[next]! <= before) next++;
    const start = next;
    while (next < missingDays.length && missingDays[next]! < day) next++;
    const excess = next - start - (index + 1);
    if (excess > 0 || (excess === 0 && daysBetween(before, day) > ISOLATED_DAYS)) first = day;
  }
  return first;
}

/** In their order. */
function daysOf(rows: readonly Row[]): CalendarDate[] {
  return rows.map(({ date }) => date).sort();
}
