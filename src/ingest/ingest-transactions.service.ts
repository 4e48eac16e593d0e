import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Account } from '../accounts/account.entity.js';
import type { SnapshotAccount, SnapshotTransaction } from '../bank-provider/bank-provider.js';
import { diffTransactions, everythingInserted, type TransactionDiff } from './diff-transactions.js';
import { matchLatePending, matchPendingToPosted, type PostedPair } from './matching/match-pending-to-posted.js';
import { matchReissuedIds } from './matching/match-reissued-ids.js';
import { changeExternalIds } from './queries/external-ids.queries.js';
import {
  deletePending,
  expirePending,
  findSupersededIds,
  listPending,
  listPostedCandidates,
  rememberPendingIds,
  takePostedId,
} from './queries/pending-transactions.queries.js';
import type { PrefetchedRowDigests } from './queries/prefetched-row-digests.js';
import { insertTransactions, upsertTransactions } from './queries/transactions.queries.js';

export interface TransactionCounts {
  added: number;
  updated: number;
  removed: number;
}

export interface TransactionIngest {
  /** `null`: the account has no stored transactions. */
  prefetched: PrefetchedRowDigests | null;
  includePending: boolean;
  seenAt: Date;
}

/** Makes the stored transactions of an account equal to what an answer lists. */
@Injectable()
export class IngestTransactionsService {
  /** Most rows of an answer are stored already: only the diff is matched and written. */
  async ingest(
    em: EntityManager,
    account: Account,
    snapshot: SnapshotAccount,
    { prefetched, includePending, seenAt }: TransactionIngest,
  ): Promise<TransactionCounts> {
    const { transactions } = snapshot;
    const diff = prefetched
      ? await diffTransactions(em, account, transactions, prefetched)
      : everythingInserted(transactions);
    const inserted = await this.#adoptReissuedIds(em, account, diff);
    const { rows, pairs } = await this.#supersedePending(em, account, transactions, inserted);
    const differing = rows.filter((row) => diff.inserted.has(row) || diff.updated.has(row));
    const write = prefetched ? upsertTransactions : insertTransactions;
    const counts = await write(em, account, differing, seenAt);
    await rememberPendingIds(em, account, pairs);
    const removed = includePending
      ? await expirePending(em, account, snapshot, seenAt)
      : await deletePending(em, account);
    return { ...counts, removed };
  }

  /** @returns the inserted rows that remain */
  async #adoptReissuedIds(
    em: EntityManager,
    account: Account,
    { inserted, missing }: TransactionDiff,
  ): Promise<ReadonlySet<SnapshotTransaction>> {
    const reissued = matchReissuedIds(missing, inserted);
    await changeExternalIds(em, account, new Map([...reissued].map(([id, row]) => [id, row.externalId])));
    const adopted = new Set(reissued.values());
    return new Set([...inserted].filter((row) => !adopted.has(row)));
  }

  /**
   * Matches pending transactions to posted ones before the rows are written: a stored pending row takes the posted id, so
   * that it stays the same record, and a pending row that is known as posted is not added again.
   *
   * @returns the rows to write, and the pairs found
   */
  async #supersedePending(
    em: EntityManager,
    account: Account,
    transactions: readonly SnapshotTransaction[],
    inserted: ReadonlySet<SnapshotTransaction>,
  ): Promise<{ rows: SnapshotTransaction[]; pairs: PostedPair[] }> {
    const stored = await listPending(em, account);
    const pending = transactions.filter((row) => row.pending);
    const superseded = await findSupersededIds(
      em,
      account,
      pending.map(({ externalId }) => externalId),
    );
    const listed = pending.filter(({ externalId }) => !superseded.has(externalId));
    const posted = [...inserted].filter((row) => !row.pending);
    const pairs = matchPendingToPosted(stored, listed, posted);
    const known = new Set([...stored.map(({ externalId }) => externalId), ...pairs.map(({ pendingId }) => pendingId)]);
    const unknown = listed.filter(({ externalId }) => !known.has(externalId));
    if (unknown.length > 0) pairs.push(...matchLatePending(unknown, await listPostedCandidates(em, account, unknown)));
    for (const pair of pairs) {
      await takePostedId(em, account, pair);
      superseded.add(pair.pendingId);
    }
    return { rows: transactions.filter((row) => !row.pending || !superseded.has(row.externalId)), pairs };
  }
}
