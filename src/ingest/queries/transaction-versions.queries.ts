import type { EntityManager, InferClassEntityDB } from '@mikro-orm/postgresql';
import type { ExpressionBuilder } from 'kysely';
import type { Account } from '../../accounts/account.entity.js';
import type { Transaction } from '../../accounts/transactions/transaction.entity.js';
import type { TransactionVersion, VersionEndReason } from '../../accounts/transactions/transaction-version.entity.js';
import type { ComparedTransaction } from '../matching/pair-transactions.js';
import { jsonOf, lookUp, noteTransactions, toCompared } from './transactions.queries.js';

type Tables = InferClassEntityDB<typeof Transaction | typeof TransactionVersion>;

/** The columns that a transaction and its versions have in common, but the external id. */
const FACTS = [
  'user_id',
  'account_id',
  'date',
  'amount_minor',
  'currency',
  'description',
  'merchant',
  'hold_external_id',
  'first_seen_at',
] as const;

const VERSION_COLUMNS = [
  ...FACTS,
  'external_id',
  'transaction_id',
  'listed_from',
  'listed_until',
  'reason',
  'transaction_created_at',
] as const;

/**
 * The columns of a version, from a row `t` of `transactions`. It ends no sooner than it began, although clocks of instances
 * differ by seconds.
 */
function versionOf(eb: ExpressionBuilder<{ t: Tables['transactions'] }, 't'>, reason: VersionEndReason, at: Date) {
  const listedFrom = eb.fn.coalesce('t.listed_from', 't.first_seen_at');
  return [
    ...FACTS,
    'external_id',
    't.id as transaction_id',
    listedFrom.as('listed_from'),
    eb.fn<Date>('greatest', [eb.val(at), listedFrom]).as('listed_until'),
    eb.val(reason).as('reason'),
    't.created_at as transaction_created_at',
  ] as const;
}

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
  await em
    .getKysely<Tables>()
    .insertInto('transaction_versions')
    .columns(VERSION_COLUMNS)
    .expression((eb) =>
      eb
        .selectFrom('transactions as t')
        .select((eb) => versionOf(eb, reason, at))
        .where('t.user_id', '=', userId)
        .where('t.account_id', '=', id)
        .where('t.pending', '=', false)
        .where((eb) => eb('t.external_id', '=', eb.fn.any(eb.val([...externalIds])))),
    )
    .execute();
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
  const kysely = em.getKysely<Tables>();
  const replacement = kysely.selectFrom('transactions as other').select('other.id').where('other.user_id', '=', userId);
  const withdrawn = await kysely
    .with('t', (having) =>
      having
        .deleteFrom('transactions')
        .where('user_id', '=', userId)
        .where('account_id', '=', id)
        .where('pending', '=', false)
        .where((eb) => eb('external_id', '=', eb.fn.any(eb.val([...externalIds]))))
        .returningAll(),
    )
    .insertInto('transaction_versions')
    .columns([...VERSION_COLUMNS, 'replaced_by'])
    .expression((eb) =>
      eb.selectFrom('t').select((eb) => [
        ...versionOf(eb, 'withdrawn', at),
        replacement
          .where('other.account_id', '=', id)
          .where('other.external_id', '=', lookUp(superseding, eb.ref('t.external_id')))
          .as('replaced_by'),
      ]),
    )
    .returning('transaction_id')
    .execute();
  noteTransactions(
    account,
    withdrawn.map(({ transaction_id }) => transaction_id),
  );
  return withdrawn.length;
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
  const restored = await em
    .getKysely<Tables>()
    .insertInto('transactions')
    .columns([...FACTS, 'external_id', 'id', 'pending', 'listed_from', 'created_at'])
    .expression((eb) =>
      eb
        .selectFrom('transaction_versions')
        .select((eb) => [
          ...FACTS,
          lookUp(externalIds, eb.cast<string>('id', 'text')).as('external_id'),
          'transaction_id',
          eb.lit(false).as('pending'),
          eb.val(at).as('listed_from'),
          'transaction_created_at',
        ])
        .where('user_id', '=', userId)
        .where('account_id', '=', id)
        .where((eb) => eb('id', '=', eb.fn.any(eb.val([...externalIds.keys()])))),
    )
    .returning('id')
    .execute();
  noteTransactions(
    account,
    restored.map(({ id }) => id),
  );
}

/**
 * Deletes the transactions of `replacement` that `disconnected` has, too, and moves all versions. Those of the deleted
 * transactions say which one was kept, and explain no balance: their bank never listed both.
 *
 * @param keptIds the ids of the transactions of `disconnected`, by the ids of the same ones of `replacement`
 */
export async function mergeVersions(
  em: EntityManager,
  disconnected: Account,
  replacement: Account,
  keptIds: ReadonlyMap<string, string>,
  at: Date,
): Promise<void> {
  const { userId } = disconnected;
  const kysely = em.getKysely<Tables>();
  await kysely
    .with('t', (having) =>
      having
        .deleteFrom('transactions')
        .where('user_id', '=', userId)
        .where('account_id', '=', replacement.id)
        .where((eb) => eb('id', '=', eb.fn.any(eb.val([...keptIds.keys()]))))
        .returningAll(),
    )
    .insertInto('transaction_versions')
    .columns(VERSION_COLUMNS)
    .expression((eb) => eb.selectFrom('t').select((eb) => versionOf(eb, 'merged', at)))
    .execute();
  await kysely
    .updateTable('transaction_versions')
    .set((eb) => {
      const id = eb.cast<string>('transaction_id', 'text');
      const isKept = eb.fn<boolean>('jsonb_exists', [jsonOf(keptIds), id]);
      return {
        account_id: disconnected.id,
        reason: eb.case().when(isKept).then<VersionEndReason>('merged').else(eb.ref('reason')).end(),
        replaced_by: eb.fn.coalesce(eb.cast<string>(lookUp(keptIds, id), 'uuid'), 'replaced_by'),
      };
    })
    .where('user_id', '=', userId)
    .where('account_id', '=', replacement.id)
    .execute();
}
