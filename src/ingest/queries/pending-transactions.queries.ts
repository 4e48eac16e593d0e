import type { EntityManager, InferClassEntityDB } from '@mikro-orm/postgresql';
import type { Account } from '../../accounts/account.entity.js';
import { Transaction } from '../../accounts/transactions/transaction.entity.js';
import type { SnapshotAccount } from '../../bank-provider/bank-provider.js';
import { earliest } from '../../time/calendar-date.js';
import { noteTransactions } from './transactions.queries.js';
import type { ComparedTransaction, PostedPair } from '../matching/match-pending-to-posted.js';

type Tables = InferClassEntityDB<typeof Transaction>;

/** A pending transaction expires when complete answers have not listed it for so long. */
const EXPIRY_MS = 3 * 86_400_000;

/** Apart from the identity map, because statements update the rows. */
export function listPending(em: EntityManager, { userId, id }: Account): Promise<Transaction[]> {
  return em.find(Transaction, { userId, accountId: id, pending: true }, { disableIdentityMap: true });
}

/**
 * Lists posted transactions without a known pending one that have the amount of one of these pending ones and are not older
 * than the oldest.
 */
export async function listPostedCandidates(
  em: EntityManager,
  { userId, id }: Account,
  pending: readonly ComparedTransaction[],
): Promise<ComparedTransaction[]> {
  const rows = await em
    .getKysely<Tables>({ convertValues: true })
    .selectFrom('transactions')
    .select(['external_id', 'date', 'amount_minor', 'currency', 'description', 'merchant'])
    .where('user_id', '=', userId)
    .where('account_id', '=', id)
    .where('pending', '=', false)
    .where('date', '>=', earliest(...pending.map(({ date }) => date)))
    // An array, because a statement has fewer parameters than an answer may have rows.
    .where((eb) => eb('amount_minor', '=', eb.fn.any(eb.val(pending.map(({ amountMinor }) => amountMinor)))))
    .where('hold_external_id', 'is', null)
    .execute();
  return rows.map(({ external_id: externalId, amount_minor: amountMinor, ...row }) => ({
    ...row,
    externalId,
    amountMinor,
  }));
}

/** Which of these pending ids are stored as posted already. Providers may list both for a while. */
export async function findSupersededIds(
  em: EntityManager,
  { userId, id }: Account,
  pendingIds: readonly string[],
): Promise<Set<string>> {
  if (pendingIds.length === 0) return new Set();
  const rows = await em
    .getKysely<Tables>()
    .selectFrom('transactions')
    .select('hold_external_id')
    .where('user_id', '=', userId)
    .where('account_id', '=', id)
    .where((eb) => eb('hold_external_id', '=', eb.fn.any(eb.val([...pendingIds]))))
    .execute();
  return new Set(rows.map((row) => row.hold_external_id!));
}

/** Gives a stored pending transaction its posted id, so that it stays the same record. */
export async function takePostedId(
  em: EntityManager,
  { userId, id }: Account,
  { pendingId, postedId }: PostedPair,
): Promise<void> {
  const where = { userId, accountId: id, externalId: pendingId, pending: true };
  await em.nativeUpdate(Transaction, where, { externalId: postedId, holdExternalId: pendingId });
}

/** Stores the pending id of a posted transaction, so that the pending one is not added again. */
export async function rememberPendingIds(
  em: EntityManager,
  { userId, id }: Account,
  pairs: readonly PostedPair[],
): Promise<void> {
  for (const { pendingId, postedId } of pairs) {
    const where = { userId, accountId: id, externalId: postedId };
    await em.nativeUpdate(Transaction, where, { holdExternalId: pendingId });
  }
}

/**
 * Deletes the pending transactions that complete answers have not listed for long enough. Those before the covered days
 * stay, because the answer says nothing about them.
 *
 * @returns how many were deleted
 */
export async function expirePending(
  em: EntityManager,
  account: Account,
  { transactions, coveredFrom, complete }: Pick<SnapshotAccount, 'transactions' | 'coveredFrom' | 'complete'>,
  now: Date,
): Promise<number> {
  if (!complete || coveredFrom === null) return 0;
  const { userId, id } = account;
  const listed = transactions.filter(({ pending }) => pending).map(({ externalId }) => externalId);
  await em
    .getKysely<Tables>()
    .updateTable('transactions')
    .set((eb) => ({
      missing_since: eb
        .case()
        .when(eb('external_id', '=', eb.fn.any(eb.val(listed))))
        .then(eb.lit(null))
        .else(eb.cast<Date>(eb.val(now), 'timestamptz'))
        .end(),
    }))
    .where('user_id', '=', userId)
    .where('account_id', '=', id)
    .where('pending', '=', true)
    .where('date', '>=', coveredFrom)
    .where((eb) =>
      eb(eb.parens('missing_since', 'is', null), '!=', eb.parens('external_id', '=', eb.fn.any(eb.val(listed)))),
    )
    .execute();
  return deletePending(em, account, new Date(now.getTime() - EXPIRY_MS));
}

/**
 * Deletes pending transactions of an account.
 *
 * @param missingSince only those that have been missing at least since then
 * @returns how many were deleted
 */
export async function deletePending(em: EntityManager, account: Account, missingSince?: Date): Promise<number> {
  const pending = em
    .getKysely<Tables>()
    .deleteFrom('transactions')
    .where('user_id', '=', account.userId)
    .where('account_id', '=', account.id)
    .where('pending', '=', true)
    .returning('id');
  const deleted = missingSince ? pending.where('missing_since', '<=', missingSince) : pending;
  const ids = (await deleted.execute()).map(({ id }) => id);
  noteTransactions(account, ids);
  return ids.length;
}
