import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Account } from '../accounts/account.entity.js';
import type { SnapshotAccount, SnapshotTransaction } from '../bank-provider/bank-provider.js';
import { type BookedHold, matchHolds, matchLateTwins, type StoredHold } from './matching/match-pending-to-posted.js';

/** A hold that complete answers have not listed for so long was released. */
const RELEASED_AFTER_MS = 3 * 86_400_000;

/**
 * Before the rows of an answer are written: a stored hold that was booked under a new id takes over that id, so that
 * the row stays the same row; a hold that we know as booked is not let in again, nor as a late twin for the first time.
 *
 * @param fresh those of the transactions whose id is not stored
 * @returns the rows of the answer to write, and the pairs found
 */
export async function matchPendingToPosted(
  em: EntityManager,
  account: Account,
  transactions: readonly SnapshotTransaction[],
  fresh: ReadonlySet<SnapshotTransaction>,
): Promise<{ rows: SnapshotTransaction[]; pairs: BookedHold[] }> {
  const stored = await storedHolds(em, account);
  const isNew = await notBookedBefore(em, account, transactions);
  const listed = transactions.filter((row) => row.pending && isNew(row.externalId));
  if (stored.length === 0 && listed.length === 0) {
    return { rows: transactions.filter((row) => !row.pending || isNew(row.externalId)), pairs: [] };
  }
  const amounts = new Set([...stored, ...listed].map(({ amountMinor }) => amountMinor));
  const booked = [...fresh].filter((row) => !row.pending && amounts.has(row.amountMinor));
  const pairs = matchHolds(stored, listed, booked);
  const known = new Set(
    [...stored, ...pairs.map(({ holdId }) => ({ externalId: holdId }))].map((hold) => hold.externalId),
  );
  const unseen = listed.filter(({ externalId }) => !known.has(externalId));
  if (unseen.length > 0) pairs.push(...matchLateTwins(unseen, await bookedWithoutHold(em, account, unseen)));
  for (const { holdId, bookedId } of pairs) await takeOverId(em, account, holdId, bookedId);
  const settled = new Set(pairs.map(({ holdId }) => holdId));
  return {
    rows: transactions.filter((row) => !row.pending || (isNew(row.externalId) && !settled.has(row.externalId))),
    pairs,
  };
}

/** After the rows were written: a booked row remembers its hold, so that the hold's twin never comes back. */
export async function rememberHolds(em: EntityManager, { userId, id }: Account, pairs: BookedHold[]): Promise<void> {
  for (const { holdId, bookedId } of pairs) {
    await sql`
      update transactions set hold_external_id = ${holdId}
      where user_id = ${userId} and account_id = ${id} and external_id = ${bookedId}
    `.execute(em.getKysely());
  }
}

/**
 * Removes the holds that complete answers have not listed for long enough. A hold outside what the answer covers is
 * left alone: it was not asked for.
 */
export async function removeReleasedHolds(
  em: EntityManager,
  { userId, id }: Account,
  { transactions, coveredFrom, complete }: Pick<SnapshotAccount, 'transactions' | 'coveredFrom' | 'complete'>,
  seenAt: Date,
): Promise<number> {
  if (!complete || coveredFrom === null) return 0;
  const listed = transactions.filter(({ pending }) => pending).map(({ externalId }) => externalId);
  const mine = sql`user_id = ${userId} and account_id = ${id} and pending`;
  await sql`
    update transactions set missing_since = case when external_id = any(${listed}::text[]) then null else ${seenAt}::timestamptz end
    where ${mine} and date >= ${coveredFrom} and (missing_since is null) <> (external_id = any(${listed}::text[]))
  `.execute(em.getKysely());
  const { numAffectedRows } = await sql`
    delete from transactions where ${mine} and missing_since <= ${new Date(seenAt.getTime() - RELEASED_AFTER_MS)}
  `.execute(em.getKysely());
  return Number(numAffectedRows ?? 0);
}

/** For a connection whose pending transactions are switched off. */
export async function removeAllHolds(em: EntityManager, { userId, id }: Account): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from transactions where user_id = ${userId} and account_id = ${id} and pending
  `.execute(em.getKysely());
  return Number(numAffectedRows ?? 0);
}

const AS_HOLD = sql`
  select external_id as "externalId", date::text as date, amount_minor::float8 as "amountMinor", currency, description,
    merchant
  from transactions
`;

async function storedHolds(em: EntityManager, { userId, id }: Account): Promise<StoredHold[]> {
  const { rows } = await sql<StoredHold>`
    ${AS_HOLD} where user_id = ${userId} and account_id = ${id} and pending
  `.execute(em.getKysely());
  return rows;
}

/** Of the amounts of holds, and not older than the oldest of them. */
async function bookedWithoutHold(
  em: EntityManager,
  { userId, id }: Account,
  holds: readonly StoredHold[],
): Promise<StoredHold[]> {
  const amounts = holds.map(({ amountMinor }) => amountMinor);
  const oldest = holds.reduce((found, { date }) => (date < found ? date : found), holds[0]!.date);
  const { rows } = await sql<StoredHold>`
    ${AS_HOLD}
    where user_id = ${userId} and account_id = ${id} and not pending and date >= ${oldest}
      and amount_minor = any(${amounts}::bigint[]) and hold_external_id is null
  `.execute(em.getKysely());
  return rows;
}

/** Tells listed holds apart from those that were booked under another id already but are still in the feed. */
async function notBookedBefore(
  em: EntityManager,
  { userId, id }: Account,
  transactions: readonly SnapshotTransaction[],
): Promise<(externalId: string) => boolean> {
  const listed = transactions.filter(({ pending }) => pending).map(({ externalId }) => externalId);
  if (listed.length === 0) return () => true;
  const { rows } = await sql<{ hold_external_id: string }>`
    select hold_external_id from transactions
    where user_id = ${userId} and account_id = ${id} and hold_external_id = any(${listed}::text[])
  `.execute(em.getKysely());
  const booked = new Set(rows.map((row) => row.hold_external_id));
  return (externalId) => !booked.has(externalId);
}

async function takeOverId(em: EntityManager, { userId, id }: Account, holdId: string, bookedId: string): Promise<void> {
  await sql`
    update transactions set external_id = ${bookedId}, hold_external_id = ${holdId}
    where user_id = ${userId} and account_id = ${id} and external_id = ${holdId} and pending
  `.execute(em.getKysely());
}
