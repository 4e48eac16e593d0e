// Measured without news: writing each account all the same makes a sync of 4 accounts cost 2.0 times as much, of 20 4.1 times.
import { dueLastDay } from '../balances/history/last-day.js';
import type { SnapshotAccount } from '../bank-provider/bank-provider.js';
import { hasSameTransactions } from './diff-transactions.js';
import { hasSameReport } from './queries/balance-reports.queries.js';
import type { StoredAccount } from './queries/stored-accounts.queries.js';
import { hasSameValues, type IngestMoment } from './stated-values.js';

/**
 * Whether an answer says anything about an account that is not stored yet. Most answers do not; then nothing is locked
 * and nothing written. A change that a person made since the account was read has derived the history already.
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

/** Whether nothing has to be done about pending transactions that the answer omits or that a person does not want. */
function hasSamePending(
  { hasPending, isPendingMissing }: StoredAccount,
  { transactions }: SnapshotAccount,
  includePending: boolean,
): boolean {
  if (isPendingMissing) return false;
  // An answer that lists transactions is compared with the stored ones anyway.
  if (transactions.length === 0 || !includePending) return !hasPending && !transactions.some(({ pending }) => pending);
  return true;
}
