import type { ConnectionResponse } from '../../sync/overview/connection.response.js';
import type { SyncProblemResponse, SyncResponse } from '../../sync/runs/sync.response.js';
import { isOpen } from '../../sync/sync-run.entity.js';
import { numberText } from '../components/money.js';

const OUTCOMES = {
  queued: { text: 'Waiting', look: '' },
  running: { text: 'Syncing', look: 'good' },
  succeeded: { text: 'Up to date', look: 'good' },
  partial: { text: 'Partly synced', look: 'warn' },
  failed: { text: 'Sync failed', look: 'wrong' },
  cancelled: { text: 'Sync cancelled', look: '' },
} as const;

/** The state of a connection: label and badge style. */
export function stateOf(
  { status, staleness, last_synced_at: lastSyncedAt }: ConnectionResponse,
  sync: SyncResponse | null,
): { text: string; look: string } {
  if (sync && isOpen(sync)) return OUTCOMES[sync.status];
  if (status === 'attention_required') return { text: 'Needs attention', look: 'wrong' };
  // The records of old syncs are deleted.
  const outcome = sync?.status ?? (lastSyncedAt === null ? null : 'succeeded');
  if (outcome === 'succeeded' && staleness.level === 'stale') return { text: 'Out of date', look: 'warn' };
  return outcome === null ? { text: 'Not synced yet', look: '' } : OUTCOMES[outcome];
}

/** Whether a subscription must be paid, which a new credential does not do. Once it is paid, “Sync now” suffices. */
export function isUnpaid(problems: readonly SyncProblemResponse[]): boolean {
  return problems.some(({ kind }) => kind === 'payment_required');
}

/** The state of a sync: label and badge style. */
export function outcomeOf({ status }: SyncResponse): { text: string; look: string } {
  return status === 'succeeded' ? { text: 'Complete', look: 'good' } : OUTCOMES[status];
}

/** The counts of a sync. */
export function outcomeText({ status, counts, trigger }: SyncResponse): string {
  if (status === 'queued' || status === 'running') return 'The sync has not finished yet.';
  if (status === 'failed')
    return trigger === 'first' ? 'The first sync failed.' : 'The sync failed. Your data is unchanged.';
  if (status === 'cancelled') return 'The sync was cancelled.';
  const transactions = [
    { number: counts.transactions_added, word: 'new' },
    { number: counts.transactions_updated, word: 'changed' },
    { number: counts.transactions_removed, word: 'removed' },
  ].filter(({ number }) => number > 0);
  const news = [
    ...transactions.map(({ number, word }, i) =>
      i === 0 ? count(number, `${word} transaction`) : `${numberText(number)} ${word}`,
    ),
    count(counts.balances_written, 'balance record'),
  ].filter(Boolean);
  return `${news.join(', ') || 'Nothing new'} in ${accountsText(counts.accounts)}.`;
}

export function accountsText(number: number): string {
  return count(number, 'account') || 'no accounts';
}

function count(number: number, what: string): string {
  return number === 0 ? '' : `${numberText(number)} ${what}${number === 1 ? '' : 's'}`;
}
