import type { EntityManager } from '@mikro-orm/postgresql';
import type { Account } from '../accounts/account.entity.js';
import type { SnapshotTransaction } from '../bank-provider/bank-provider.js';
import type { PrefetchedRowDigests } from './queries/prefetch-row-digests.js';
import { dateOfText, storedText, storedTextsById } from './queries/row-digests.js';

/** What of an answer is not stored exactly so. */
export interface TransactionDiff {
  /** Rows whose id is not known. */
  fresh: ReadonlySet<SnapshotTransaction>;
  /** Known rows that differ. */
  changed: ReadonlySet<SnapshotTransaction>;
  /** The stored rows, as texts, of the days of the answer that it does not list, in the order in which they are stored. */
  unlisted: readonly string[];
}

/**
 * Compares an answer with what is stored.
 *
 * @param ahead what of it was read already
 */
export async function diffTransactions(
  em: EntityManager,
  account: Account,
  transactions: readonly SnapshotTransaction[],
  ahead: PrefetchedRowDigests,
): Promise<TransactionDiff> {
  if (transactions.length === 0) return allInserted([]);
  const since = transactions.reduce((first, { date }) => (date < first ? date : first), '9999-12-31');
  const { others, unlisted } = compare(transactions, await ahead.of(em, account, since));
  // By id, since a known row may be stored at an earlier day.
  const known = await storedTextsById(em, account, idsOf(others));
  const fresh = others.filter(({ externalId }) => !known.has(externalId));
  const changed = others.filter((row) => differs(row, known.get(row.externalId)));
  for (const text of known.values()) unlisted.delete(text);
  const ofThoseDays = [...unlisted].filter((text) => dateOfText(text) >= since);
  return { fresh: new Set(fresh), changed: new Set(changed), unlisted: ofThoseDays };
}

/**
 * Most rows come in the order in which they were stored, and then none has to be looked up.
 *
 * @returns the rows that are not stored so, and the stored texts of no row
 */
function compare(transactions: readonly SnapshotTransaction[], stored: readonly string[]) {
  const outOfOrder: SnapshotTransaction[] = [];
  let next = 0;
  for (const row of transactions) {
    if (storedText(row) === stored[next]) next++;
    else outOfOrder.push(row);
  }
  const unlisted = new Set(stored.slice(next));
  const others = outOfOrder.filter((row) => !unlisted.delete(storedText(row)));
  return { others, unlisted };
}

/** Of an account that was never written nothing is known. */
export function allInserted(transactions: readonly SnapshotTransaction[]): TransactionDiff {
  return { fresh: new Set(transactions), changed: new Set(), unlisted: [] };
}

/** A guessed day is no difference. */
function differs(row: SnapshotTransaction, stored: string | undefined): boolean {
  if (stored === undefined) return false;
  return storedText(row.dateIsGuess ? { ...row, date: dateOfText(stored) } : row) !== stored;
}

function idsOf(rows: readonly SnapshotTransaction[]): string[] {
  return rows.map(({ externalId }) => externalId);
}
