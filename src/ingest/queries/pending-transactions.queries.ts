import type { EntityManager } from '@mikro-orm/postgresql';
import { type RawBuilder, sql } from 'kysely';
import type { Account } from '../../accounts/account.entity.js';
import type { SnapshotAccount } from '../../bank-provider/bank-provider.js';
import { noteTransactions } from './note-transactions.js';
import type { ComparedTransaction, PostedPair } from '../matching/match-pending-to-posted.js';

/** A pending transaction expires when complete answers have not listed it for so long. */
const EXPIRY_MS = 3 * 86_400_000;

const SELECT_COMPARED = sql`
  select external_id as "externalId", date::text as date, amount_minor::float8 as "amountMinor", currency, description,
    merchant
  from transactions
`;

export async function listPending(em: EntityManager, { userId, id }: Account): Promise<ComparedTransaction[]> {
  const { rows } = await sql<ComparedTransaction>`
    ${SELECT_COMPARED} where user_id = ${userId} and account_id = ${id} and pending
  `.execute(em.getKysely());
  return rows;
}

/**
 * Lists posted transactions of which no pending one is known, as candidates for pending ones: of their amounts, and no
 * older than the oldest of them.
 */
export async function listPostedCandidates(
  em: EntityManager,
  { userId, id }: Account,
  pending: readonly ComparedTransaction[],
): Promise<ComparedTransaction[]> {
  const amounts = pending.map(({ amountMinor }) => amountMinor);
  const oldest = pending.reduce((found, { date }) => (date < found ? date : found), pending[0]!.date);
  const { rows } = await sql<ComparedTransaction>`
    ${SELECT_COMPARED}
    where user_id = ${userId} and account_id = ${id} and not pending and date >= ${oldest}
      and amount_minor = any(${amounts}::bigint[]) and hold_external_id is null
  `.execute(em.getKysely());
  return rows;
}

/** Which of these pending ids were posted under another id already. The provider may list both for a while. */
export async function findSupersededIds(
  em: EntityManager,
  { userId, id }: Account,
  pendingIds: readonly string[],
): Promise<Set<string>> {
  if (pendingIds.length === 0) return new Set();
  const { rows } = await sql<{ hold_external_id: string }>`
    select hold_external_id from transactions
    where user_id = ${userId} and account_id = ${id} and hold_external_id = any(${pendingIds}::text[])
  `.execute(em.getKysely());
  return new Set(rows.map((row) => row.hold_external_id));
}

/** Gives a stored pending transaction the id under which it was posted, so that it stays the same record. */
export async function takePostedId(
  em: EntityManager,
  { userId, id }: Account,
  { pendingId, postedId }: PostedPair,
): Promise<void> {
  await sql`
    update transactions set external_id = ${postedId}, hold_external_id = ${pendingId}
    where user_id = ${userId} and account_id = ${id} and external_id = ${pendingId} and pending
  `.execute(em.getKysely());
}

/** Stores the pending id of a posted transaction, so that the pending one is never added beside it. */
export async function rememberPendingIds(
  em: EntityManager,
  { userId, id }: Account,
  pairs: readonly PostedPair[],
): Promise<void> {
  for (const { pendingId, postedId } of pairs) {
    await sql`
      update transactions set hold_external_id = ${pendingId}
      where user_id = ${userId} and account_id = ${id} and external_id = ${postedId}
    `.execute(em.getKysely());
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
  const isPending = sql`user_id = ${userId} and account_id = ${id} and pending`;
  const isListed = sql`external_id = any(${listed}::text[])`;
  await sql`
    update transactions set missing_since = case when ${isListed} then null else ${now}::timestamptz end
    where ${isPending} and date >= ${coveredFrom} and (missing_since is null) <> (${isListed})
  `.execute(em.getKysely());
  return deleteNoted(em, account, sql`${isPending} and missing_since <= ${new Date(now.getTime() - EXPIRY_MS)}`);
}

/** For a connection that does not include pending transactions. */
export function deletePending(em: EntityManager, account: Account): Promise<number> {
  return deleteNoted(em, account, sql`user_id = ${account.userId} and account_id = ${account.id} and pending`);
}

async function deleteNoted(em: EntityManager, account: Account, condition: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ id: string }>`delete from transactions where ${condition} returning id`.execute(
    em.getKysely(),
  );
  noteTransactions(
    account,
    rows.map(({ id }) => id),
  );
  return rows.length;
}
