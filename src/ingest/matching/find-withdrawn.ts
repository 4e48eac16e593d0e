import type { SnapshotAccount } from '../../bank-provider/bank-provider.js';
import type { CalendarDate } from '../../time/calendar-date.js';
import type { ComparedTransaction } from './match-pending-to-posted.js';

/** So many withdrawals are plausible even if they are all that an answer covers. */
export const MAX_UNQUESTIONED_WITHDRAWALS = 2;
/** The largest plausible share of withdrawals among the transactions that an answer covers. */
export const MAX_WITHDRAWN_SHARE = 0.5;

type Answer = Pick<SnapshotAccount, 'transactions' | 'complete' | 'coveredFrom' | 'unreadableRows'>;

/**
 * Finds the stored posted transactions that an answer withdraws, because it is complete, covers their day and does not
 * list them. It withdraws nothing
 * - when it is partial or empty, or has rows that could not be read;
 * - on its first covered day, which timezones may cut off, and after today;
 * - before the first day that it really lists, because many banks show only their last 90 days or so, and on that day
 *   either when older transactions are missing: such a list may begin in the middle of a day.
 *
 * @param missing stored rows that the answer does not list
 * @param today in UTC
 */
export function findWithdrawn<Row extends ComparedTransaction & { pending: boolean }>(
  missing: readonly Row[],
  { transactions, complete, coveredFrom, unreadableRows }: Answer,
  today: CalendarDate,
): Row[] {
  const firstListed = firstPostedDay(transactions);
  if (!complete || coveredFrom === null || firstListed === null || unreadableRows > 0) return [];
  const covered = missing.filter(({ pending, date }) => !pending && date > coveredFrom && date <= today);
  const isRolling = covered.some(({ date }) => date < firstListed);
  return covered.filter(({ date }) => (isRolling ? date > firstListed : date >= firstListed));
}

/**
 * @param withdrawn how many transactions an answer would withdraw without replacing them
 * @param listed how many stored transactions of the same days it still lists
 */
export function isPlausible(withdrawn: number, listed: number): boolean {
  return withdrawn <= MAX_UNQUESTIONED_WITHDRAWALS || withdrawn <= (withdrawn + listed) * MAX_WITHDRAWN_SHARE;
}

/** The first day of the posted rows of an answer; `null`: it has none. */
export function firstPostedDay(transactions: SnapshotAccount['transactions']): CalendarDate | null {
  const dates = transactions.filter(({ pending }) => !pending).map(({ date }) => date);
  return dates.length === 0 ? null : dates.reduce((first, date) => (date < first ? date : first));
}
