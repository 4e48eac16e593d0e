import type { EntityManager } from '@mikro-orm/postgresql';
import type { Account } from '../accounts/account.entity.js';
import type { SnapshotAccount, SnapshotTransaction } from '../bank-provider/bank-provider.js';
import type { CalendarDate } from '../time/calendar-date.js';
import { undoRenumbering } from './matching/pair-transactions.js';
import {
  dateOf,
  digestOf,
  readDigestsById,
  splitDigests,
  type StoredAccount,
  type StoredAccounts,
  transactionOf,
} from './queries/stored-accounts.queries.js';

const LAST_DATE = '9999-12-31';

/** How an answer differs from the stored transactions. */
export interface TransactionDiff {
  /** The rows of the answer, under the ids under which they are stored where the bank renumbers them. */
  transactions: SnapshotTransaction[];
  /** Whether the bank's ids are places in its answer. */
  isRenumbered: boolean;
  /** Rows whose external id is not stored. */
  inserted: ReadonlySet<SnapshotTransaction>;
  /** Rows that are stored with other content. */
  updated: ReadonlySet<SnapshotTransaction>;
  /** Stored rows that the answer does not list although it covers their day, in the order they are stored. */
  missing: readonly SnapshotTransaction[];
}

/** Compares an answer with the stored transactions. */
export async function diffTransactions(
  em: EntityManager,
  account: Account,
  { transactions, coveredFrom }: Pick<SnapshotAccount, 'transactions' | 'coveredFrom'>,
  stored: StoredAccounts,
): Promise<TransactionDiff> {
  if (transactions.length === 0) return everythingInserted([]);
  const since = firstDayOf({ transactions, coveredFrom });
  const { unmatched, missing } = compareDigests(transactions, await stored.digests(em, account, since));
  // By id, because the row may be stored with an earlier day.
  const byId = await readDigestsById(
    em,
    account,
    unmatched.map(({ externalId }) => externalId),
  );
  const candidates = new Set([...byId.values(), ...(byId.size > 0 ? missing : [])]);
  const renumbered = undoRenumbering(unmatched, [...candidates].map(transactionOf));
  if (renumbered.size > 0) {
    const underStoredIds = transactions.map((row) => renumbered.get(row) ?? row);
    const diff = await diffTransactions(em, account, { transactions: underStoredIds, coveredFrom }, stored);
    return { ...diff, isRenumbered: true };
  }
  for (const digest of byId.values()) missing.delete(digest);
  return {
    transactions,
    isRenumbered: false,
    inserted: new Set(unmatched.filter(({ externalId }) => !byId.has(externalId))),
    updated: new Set(unmatched.filter((row) => isChanged(row, byId.get(row.externalId)))),
    missing: [...missing].filter((digest) => dateOf(digest) >= since).map(transactionOf),
  };
}

/** Whether an answer lists exactly the stored transactions of the days that it covers. An empty one covers none. */
export function hasSameTransactions(
  { since: storedSince, digests }: StoredAccount,
  { transactions, coveredFrom }: Pick<SnapshotAccount, 'transactions' | 'coveredFrom'>,
): boolean {
  if (transactions.length === 0) return true;
  const since = firstDayOf({ transactions, coveredFrom });
  if (since < storedSince) return false;
  const { unmatched, missing } = compareDigests(transactions, splitDigests(digests));
  return unmatched.length === 0 && [...missing].every((digest) => dateOf(digest) < since);
}

/** The diff of an account that has no stored transactions. */
export function everythingInserted(transactions: SnapshotTransaction[]): TransactionDiff {
  return { transactions, isRenumbered: false, inserted: new Set(transactions), updated: new Set(), missing: [] };
}

/** The first day of which an answer says anything. */
function firstDayOf({
  transactions,
  coveredFrom,
}: Pick<SnapshotAccount, 'transactions' | 'coveredFrom'>): CalendarDate {
  return transactions.reduce((first, { date }) => (date < first ? date : first), coveredFrom ?? LAST_DATE);
}

function compareDigests(transactions: readonly SnapshotTransaction[], stored: readonly string[]) {
  const missing = new Set(stored);
  const unmatched = transactions.filter((row) => !missing.delete(digestOf(row)));
  return { unmatched, missing };
}

/** A guessed date does not count as a change. */
function isChanged(row: SnapshotTransaction, stored: string | undefined): boolean {
  if (stored === undefined) return false;
  const compared = row.dateIsGuess ? { ...row, date: dateOf(stored) } : row;
  return digestOf(compared) !== stored;
}
