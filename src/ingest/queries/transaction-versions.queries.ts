import type { EntityManager, InferClassEntityDB } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Account } from '../../accounts/account.entity.js';
import type { Transaction } from '../../accounts/transactions/transaction.entity.js';
import type { TransactionVersion, VersionEndReason } from '../../accounts/transactions/transaction-version.entity.js';
import type { ComparedTransaction } from '../matching/pair-transactions.js';
import { lookup, noteTransactions, toCompared } from './transactions.queries.js';

type Tables = InferClassEntityDB<typeof Transaction | typeof TransactionVersion>;

// Raw where a statement inserts what it selects or deletes: one list of columns serves all, and ids are looked up in JSON.

const VERSION_COLUMNS = sql.raw(`user_id, account_id, transaction_id, external_id, date, amount_minor, currency,
  description, merchant, hold_external_id, listed_from, listed_until, reason, first_seen_at, transaction_created_at`);

/**
 * The columns of a version, from a row `t` of `transactions`. A clock that was set back ends no version before it
 * began.
 */
const versionOf = (reason: VersionEndReason, at: Date) => sql`
  t.user_id, t.account_id, t.id, t.external_id, t.date, t.amount_minor, t.currency, t.description, t.merchant,
  t.hold_external_id, coalesce(t.listed_from, t.first_seen_at),
  greatest(${at}, coalesce(t.listed_from, t.first_seen_at)), ${reason}, t.first_seen_at, t.created_at`;

/** Counts the transactions of an account, and the versions of them. */
export async function countStored(em: EntityManager, { userId, id }: Account): Promise<number> {
  const { transactions, versions } = await em
    .getKysely<Tables>()
    .selectNoFrom((eb) => {
      const countOf = (table: 'transactions' | 'transaction_versions') =>
        eb
          .selectFrom(table)
          .select(({ fn }) => fn.countAll<string>().as('count'))
          .where('user_id', '=', userId)
          .where('account_id', '=', id);
      return [countOf('transactions').as('transactions'), countOf('transaction_versions').as('versions')];
    })
    .executeTakeFirstOrThrow();
  return Number(transactions) + Number(versions);
}

/** Keeps posted transactions as they were listed until now. Their rows must change in the same database transaction. */
export async function keepTransactionVersions(
  em: EntityManager,
  { userId, id }: Account,
  externalIds: readonly string[],
  reason: VersionEndReason,
  at: Date,
): Promise<void> {
  if (externalIds.length === 0) return;
  await sql`
    insert into transaction_versions (${VERSION_COLUMNS})
    select ${versionOf(reason, at)} from transactions t
    where user_id = ${userId} and account_id = ${id} and not pending
      and external_id = any(${externalIds}::text[])
  `.execute(em.getKysely());
}

/**
 * Moves posted transactions that the bank no longer lists from the list to its history.
 *
 * @param superseding the external ids of those that took their place, by the external ids of the withdrawn ones
 * @returns how many were withdrawn
 */
export async function withdrawTransactions(
  em: EntityManager,
  account: Account,
  externalIds: readonly string[],
  superseding: ReadonlyMap<string, string>,
  at: Date,
): Promise<number> {
  if (externalIds.length === 0) return 0;
  const { userId, id } = account;
  const { rows } = await sql<{ transaction_id: string }>`
    with t as (
      delete from transactions
      where user_id = ${userId} and account_id = ${id} and not pending
        and external_id = any(${externalIds}::text[])
      returning *
    )
    insert into transaction_versions (${VERSION_COLUMNS}, replaced_by)
    select ${versionOf('withdrawn', at)}, (
      select other.id from transactions other
      where other.user_id = ${userId} and other.account_id = ${id}
        and other.external_id = ${lookup(superseding)} ->> t.external_id
    )
    from t returning transaction_id
  `.execute(em.getKysely());
  noteTransactions(
    account,
    rows.map(({ transaction_id }) => transaction_id),
  );
  return rows.length;
}

/** The newest version of a withdrawn transaction. */
interface WithdrawnTransaction extends ComparedTransaction {
  /** Of the version. */
  id: string;
}

export async function listWithdrawn(em: EntityManager, { userId, id }: Account): Promise<WithdrawnTransaction[]> {
  const rows = await em
    .getKysely<Tables>({ convertValues: true })
    .selectFrom('transaction_versions as v')
    .distinctOn('v.transaction_id')
    .select(['v.id', 'v.external_id', 'v.date', 'v.amount_minor', 'v.currency', 'v.description', 'v.merchant'])
    .where('v.user_id', '=', userId)
    .where('v.account_id', '=', id)
    .where('v.reason', '=', 'withdrawn')
    .where((eb) => {
      const listed = eb.selectFrom('transactions as t').select('t.id');
      return eb.not(
        eb.exists(listed.whereRef('t.user_id', '=', 'v.user_id').whereRef('t.id', '=', 'v.transaction_id')),
      );
    })
    .orderBy('v.transaction_id')
    .orderBy('v.listed_until', 'desc')
    .orderBy('v.id')
    .execute();
  return rows.map(toCompared);
}

/**
 * Puts withdrawn transactions back into the list, with the ids and creation times they had.
 *
 * @param externalIds the external ids under which they are listed now, by the ids of their newest versions
 */
export async function restoreWithdrawn(
  em: EntityManager,
  account: Account,
  externalIds: ReadonlyMap<string, string>,
  at: Date,
): Promise<void> {
  if (externalIds.size === 0) return;
  const { userId, id } = account;
  const { rows } = await sql<{ id: string }>`
    insert into transactions as listed (user_id, account_id, id, external_id, date, amount_minor, currency, description,
      merchant, pending, hold_external_id, first_seen_at, listed_from, created_at)
    select user_id, account_id, transaction_id, ${lookup(externalIds)} ->> id::text,
      date, amount_minor, currency, description, merchant, false, hold_external_id, first_seen_at, ${at},
      transaction_created_at
    from transaction_versions
    where user_id = ${userId} and account_id = ${id} and id = any(${[...externalIds.keys()]}::uuid[])
    returning id
  `.execute(em.getKysely());
  noteTransactions(
    account,
    rows.map(({ id }) => id),
  );
}

/**
 * Deletes the transactions of `from` that `into` has, too, and moves all versions. Those of the deleted transactions
 * say which one was kept, and explain no balance: their bank never listed both.
 *
 * @param keptIds the ids of the transactions in `into`, by the ids of the same ones in `from`
 */
export async function mergeVersions(
  em: EntityManager,
  into: Account,
  from: Account,
  keptIds: ReadonlyMap<string, string>,
  at: Date,
): Promise<void> {
  const { userId } = into;
  const kept = lookup(keptIds);
  await sql`
    with t as (
      delete from transactions
      where user_id = ${userId} and account_id = ${from.id} and id = any(${[...keptIds.keys()]}::uuid[])
      returning *
    )
    insert into transaction_versions (${VERSION_COLUMNS}) select ${versionOf('merged', at)} from t
  `.execute(em.getKysely());
  await sql`
    update transaction_versions set account_id = ${into.id},
      reason = case when jsonb_exists(${kept}, transaction_id::text) then 'merged' else reason end,
      replaced_by = coalesce((${kept} ->> transaction_id::text)::uuid, replaced_by)
    where user_id = ${userId} and account_id = ${from.id}
  `.execute(em.getKysely());
}
