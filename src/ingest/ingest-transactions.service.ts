import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';
import type { Account } from '../accounts/account.entity.js';
import type { SnapshotAccount, SnapshotTransaction } from '../bank-provider/bank-provider.js';
import type { CalendarDate } from '../time/calendar-date.js';
import { diffTransactions, everythingInserted, type TransactionDiff } from './diff-transactions.js';
import { type IngestProblem, tooManyMissingProblem, TooManyTransactions } from './ingest-problem.js';
import { matchLatePending, matchPendingToPosted, type PostedPair } from './matching/match-pending-to-posted.js';
import { type ComparedTransaction, matchReissuedIds, matchRestored, ownIdFor } from './matching/pair-transactions.js';
import { classifyMissing, type MissingVerdict } from './matching/classify-missing.js';
import {
  changeExternalIds,
  deletePending,
  expirePending,
  findSupersededIds,
  listPending,
  listPostedCandidates,
  rememberPendingIds,
  upsertTransactions,
} from './queries/transactions.queries.js';
import type { StoredAccounts } from './queries/stored-accounts.queries.js';
import {
  countStored,
  keepTransactionVersions,
  listWithdrawn,
  restoreWithdrawn,
  withdrawTransactions,
} from './queries/transaction-versions.queries.js';

export interface TransactionCounts {
  added: number;
  updated: number;
  removed: number;
}

interface TransactionIngest {
  /** `null`: the account has no stored transactions. */
  stored: StoredAccounts | null;
  includePending: boolean;
  seenAt: Date;
  /** The day of `seenAt` in UTC. */
  utcDay: CalendarDate;
  timeZone: string;
}

type Rows = ReadonlySet<SnapshotTransaction>;

interface PendingMatch {
  transactions: readonly SnapshotTransaction[];
  /** Those that no stored transaction was matched to. */
  unknown: Rows;
  /** The pending ones. */
  stored: readonly ComparedTransaction[];
  timeZone: string;
}

/**
 * Updates the stored transactions of an account to an answer. A posted transaction is never overwritten: when the bank
 * changes or withdraws it, a version of it is kept.
 */
@Injectable()
export class IngestTransactionsService {
  constructor(private readonly config: Config) {}

  /** Matches and writes only the diff, because most rows are stored already. */
  async ingest(
    em: EntityManager,
    account: Account,
    answer: SnapshotAccount,
    { stored, includePending, seenAt, utcDay, timeZone }: TransactionIngest,
  ): Promise<TransactionCounts & { problems: IngestProblem[] }> {
    const diff = stored ? await diffTransactions(em, account, answer, stored) : everythingInserted(answer.transactions);
    const { transactions } = diff;
    const snapshot = { ...answer, transactions };
    const reissued = await this.#adoptReissuedIds(em, account, diff, seenAt);
    const fresh = without(diff.inserted, reissued.rows);
    const restored: Rows = stored ? await this.#restore(em, account, fresh, seenAt) : new Set();
    const unknown = without(fresh, restored);
    const pending = stored ? await listPending(em, account) : [];
    const { rows, pairs, posted } = await this.#supersedePending(em, account, {
      transactions,
      unknown,
      stored: pending,
      timeZone,
    });
    const missing = diff.missing.filter(({ externalId }) => !reissued.ids.has(externalId));
    const verdict = classifyMissing(missing, snapshot, [...without(unknown, posted)], utcDay);
    const changed = rows.filter((row) => diff.updated.has(row));
    const inserted = rows.filter((row) => diff.inserted.has(row));
    await this.#assertRoom(em, account, inserted.length + changed.length + verdict.reissued.size);
    await this.#keepTransactionVersions(em, account, changed, verdict, seenAt);
    const { added, updated } = await upsertTransactions(em, account, [...inserted, ...changed], seenAt);
    await rememberPendingIds(em, account, diff.isRenumbered ? pairs.map(withoutPlace) : pairs);
    const withdrawn = await withdrawTransactions(em, account, verdict.withdrawn, verdict.superseding, seenAt);
    // Without pending transactions, stored or just written, there is nothing to expire or to delete.
    const hasPending = pending.length > 0 || (!includePending && transactions.some((row) => row.pending));
    const remove = () =>
      includePending ? expirePending(em, account, snapshot, seenAt) : deletePending(em, account.userId, [account.id]);
    const removed = hasPending ? await remove() : 0;
    return {
      added: added + restored.size,
      updated,
      removed: removed + withdrawn,
      problems: verdict.isPlausible ? [] : [tooManyMissingProblem(account, snapshot, verdict)],
    };
  }

  /** @throws TooManyTransactions when so many more rows are more than an account may have */
  async #assertRoom(em: EntityManager, account: Account, more: number): Promise<void> {
    const max = this.config.maxTransactionsPerAccount;
    if (more > 0 && more + (await countStored(em, account)) > max) throw new TooManyTransactions(account, max);
  }

  /** Gives stored rows the new ids under which the bank lists them with equal content, and keeps versions of re-dated ones. */
  async #adoptReissuedIds(em: EntityManager, account: Account, { inserted, missing }: TransactionDiff, seenAt: Date) {
    const reissued = matchReissuedIds(missing, inserted);
    const redated = missing.filter(({ externalId, date }) => date === reissued.get(externalId)?.otherDate);
    const redatedIds = redated.map(({ externalId }) => externalId);
    await keepTransactionVersions(em, account, redatedIds, 'reissued', seenAt);
    await changeExternalIds(em, account, newIdsOf(reissued));
    return { ids: new Set(reissued.keys()), rows: new Set(reissued.values()) };
  }

  /** @returns the rows that were withdrawn and are listed again */
  async #restore(em: EntityManager, account: Account, inserted: Rows, seenAt: Date): Promise<Rows> {
    if (inserted.size === 0) return new Set();
    const restored = matchRestored(await listWithdrawn(em, account), inserted);
    const externalIds = new Map([...restored].map(([row, { id }]) => [id, row.externalId]));
    await restoreWithdrawn(em, account, externalIds, seenAt);
    return new Set(restored.keys());
  }

  /** Keeps versions of rows that are about to change, and gives re-issued rows their new ids. */
  async #keepTransactionVersions(
    em: EntityManager,
    account: Account,
    changed: readonly SnapshotTransaction[],
    { reissued }: MissingVerdict,
    seenAt: Date,
  ): Promise<void> {
    const changedIds = changed.map(({ externalId }) => externalId);
    await keepTransactionVersions(em, account, changedIds, 'changed', seenAt);
    await keepTransactionVersions(em, account, [...reissued.keys()], 'reissued', seenAt);
    await changeExternalIds(em, account, newIdsOf(reissued));
  }

  /**
   * Matches pending transactions to posted ones before the rows are written: a stored pending row takes the posted id,
   * so that it stays the same record, and a pending row that is known as posted is not added again.
   *
   * @returns the rows to write, the pairs found, and the posted rows among them
   */
  async #supersedePending(
    em: EntityManager,
    account: Account,
    { transactions, unknown, stored, timeZone }: PendingMatch,
  ): Promise<{ rows: SnapshotTransaction[]; pairs: PostedPair[]; posted: Rows }> {
    const pending = transactions.filter((row) => row.pending);
    const pendingIds = pending.map(({ externalId }) => externalId);
    const superseded = await findSupersededIds(em, account, pendingIds);
    const listed = pending.filter(({ externalId }) => !superseded.has(externalId));
    const unknownPosted = [...unknown].filter((row) => !row.pending);
    const matched = matchPendingToPosted(stored, listed, unknownPosted);
    const storedIds = new Set(stored.map(({ externalId }) => externalId));
    const matchedIds = new Set(matched.map(({ pendingId }) => pendingId));
    const late = listed.filter(({ externalId }) => !storedIds.has(externalId) && !matchedIds.has(externalId));
    const candidates = late.length === 0 ? [] : await listPostedCandidates(em, account, late, pendingIds, timeZone);
    const latePairs = matchLatePending(late, candidates);
    const pairs = [...matched, ...latePairs];
    const ofStored = pairs.filter(({ pendingId }) => storedIds.has(pendingId));
    await changeExternalIds(em, account, new Map(ofStored.map(({ pendingId, postedId }) => [pendingId, postedId])));
    for (const { pendingId } of pairs) superseded.add(pendingId);
    const postedIds = new Set(pairs.map(({ postedId }) => postedId));
    return {
      rows: transactions.filter((row) => !row.pending || !superseded.has(row.externalId)),
      pairs,
      posted: new Set(unknownPosted.filter(({ externalId }) => postedIds.has(externalId))),
    };
  }
}

function without(rows: Rows, ...others: readonly Rows[]): Rows {
  return new Set([...rows].filter((row) => others.every((other) => !other.has(row))));
}

/** The bank may list another pending transaction at the same place. */
function withoutPlace({ pendingId, postedId }: PostedPair): PostedPair {
  return { pendingId: ownIdFor(pendingId), postedId };
}

function newIdsOf(reissued: ReadonlyMap<string, SnapshotTransaction>): Map<string, string> {
  return new Map([...reissued].map(([externalId, row]) => [externalId, row.externalId]));
}
