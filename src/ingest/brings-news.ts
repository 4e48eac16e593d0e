import { dueLastDay } from '../balances/history/last-day.js';
import type { SnapshotAccount } from '../bank-provider/bank-provider.js';
import { hasSameTransactions } from './diff-transactions.js';
import { hasSameReport } from './queries/balance-reports.queries.js';
import type { StoredAccount } from './queries/stored-accounts.queries.js';
import { hasSameValues, type IngestMoment } from './stated-values.js';

/**
 * Whether an answer says anything about an account that is not stored. Most do not, and then nothing is locked and
 * nothing written. What a person changed since the account was read they have derived themselves.
 */
export function bringsNews(
  stored: StoredAccount,
  snapshot: SnapshotAccount,
  moment: IngestMoment,
  includePending: boolean,
): boolean {
  return !(
    hasSameValues(stored.account, snapshot, moment) &&
    hasSameReport(snapshot, moment.day, stored.reportDigest) &&
    stored.lastDay === dueLastDay(stored.account, moment.day) &&
    hasSamePending(stored, snapshot, includePending) &&
    hasSameTransactions(stored, snapshot)
  );
}

/** Whether no pending transaction is left out by the answer, was left out by one before, or is unwanted. */
function hasSamePending(
  { hasPending, isPendingMissing }: StoredAccount,
  { transactions }: SnapshotAccount,
  includePending: boolean,
): boolean {
  if (isPendingMissing) return false;
  // Of others, the transactions tell.
  if (transactions.length === 0 || !includePending) return !hasPending && !transactions.some(({ pending }) => pending);
  return true;
}
