import type { SnapshotAccount } from '../../bank-provider/bank-provider.js';
import type { SyncedAccount, SyncRun } from '../sync-run.entity.js';
import type { AccountWrite } from '../../ingest/ingest-account.service.js';

type Written = Omit<AccountWrite, 'accountId' | 'problems'>;

/** For an account that could not be stored. */
export const NOTHING_WRITTEN: Written = { added: 0, updated: 0, removed: 0, balancesWritten: 0 };

/**
 * The counts of a run after one more account. Counts of earlier attempts of the same run are kept.
 *
 * @param accountId `null`: the account is new and could not be stored
 */
export function afterAccount(run: SyncRun, snapshot: SnapshotAccount, accountId: string | null, write: Written) {
  const { externalId, name } = snapshot;
  const before = run.accounts.find((account) => account.externalId === externalId);
  const account: SyncedAccount = {
    externalId,
    accountId,
    name,
    fetched: snapshot.transactions.length,
    added: write.added + (before?.added ?? 0),
    updated: write.updated + (before?.updated ?? 0),
    removed: write.removed + (before?.removed ?? 0),
    balancesWritten: write.balancesWritten + (before?.balancesWritten ?? 0),
  };
  const accounts = before
    ? run.accounts.map((other) => (other === before ? account : other))
    : [...run.accounts, account];
  return {
    accounts,
    accountsDone: run.accountsDone + 1,
    transactionsAdded: total(accounts, 'added'),
    transactionsUpdated: total(accounts, 'updated'),
    transactionsRemoved: total(accounts, 'removed'),
    balancesWritten: total(accounts, 'balancesWritten'),
  };
}

function total(accounts: readonly SyncedAccount[], figure: keyof Written): number {
  return accounts.reduce((sum, account) => sum + account[figure], 0);
}

/** One line for the log. */
export function summaryOf(run: SyncRun): string {
  const seconds = ((run.finishedAt?.getTime() ?? 0) - (run.startedAt?.getTime() ?? 0)) / 1000;
  return (
    `${run.accountsDone} of ${run.accountsTotal ?? '?'} accounts, transactions +${run.transactionsAdded} ` +
    `~${run.transactionsUpdated} -${run.transactionsRemoved}, ${run.balancesWritten} balances written, ` +
    `${run.problems.length} problems, attempt ${run.attempt}, ${seconds.toFixed(1)} s`
  );
}
