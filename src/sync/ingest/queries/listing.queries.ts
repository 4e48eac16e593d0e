import type { EntityManager, InferClassEntityDB } from '@mikro-orm/postgresql';
import { type Expression, type ExpressionBuilder, expressionBuilder, sql } from 'kysely';
import type { Account } from '../../../balances/accounts/account.entity.js';
import type { Transaction } from '../../../balances/transactions/transaction.entity.js';
import type {
  TransactionVersion,
  VersionEndReason,
} from '../../../balances/transactions/transaction-version.entity.js';
import { noteChanges } from '../../../database/change-log/note-changes.js';
import type { ListingPlan, WrittenRow } from '../matching/match-listing.js';
import { firstDayOf, type Listing, type StoredRow } from '../matching/pair-rows.js';

type Tables = InferClassEntityDB<typeof Transaction | typeof TransactionVersion>;
type AccountKey = Pick<Account, 'userId' | 'id'>;

/** The columns that a transaction and its versions have in common, but the external id and what a person may correct. */
const FACTS = [
  'user_id',
  'account_id',
  'currency',
  'description',
  'merchant',
  'hold_external_id',
  'first_seen_at',
] as const;

export const VERSION_COLUMNS = [
  ...FACTS,
  'date',
  'amount_minor',
  'external_id',
  'transaction_id',
  'listed_from',
  'listed_until',
  'reason',
  'transaction_created_at',
] as const;

/** The columns of a version, from a row `t` of `transactions`: what the bank lists, whatever a person has said of it. */
export function versionOf(
  eb: ExpressionBuilder<{ t: Tables['transactions'] }, 't'>,
  reason: Expression<VersionEndReason>,
  at: Date,
) {
  return [
    ...FACTS,
    eb.fn.coalesce('t.listed_date', 't.date').as('date'),
    eb.fn.coalesce('t.listed_minor', 't.amount_minor').as('amount_minor'),
    'external_id',
    't.id as transaction_id',
    eb.fn.coalesce('t.listed_from', 't.first_seen_at').as('listed_from'),
    eb.cast<Date>(eb.val(at), 'timestamptz').as('listed_until'),
    eb.cast<VersionEndReason>(reason, 'text').as('reason'),
    't.created_at as transaction_created_at',
  ] as const;
}

/** Building a statement of more rows would block the event loop. */
const MAX_ROWS_PER_STATEMENT = 10_000;

/**
 * Reads what an answer is compared with: the stored transactions of the days that it lists, those under its ids, all that are
 * pending, and the newest versions of withdrawn ones. Ids are an array and no join: without statistics of a new account the
 * planner would scan all of it for every id. Raw, for the casts.
 *
 * @param timeZone the person's
 */
export async function readStored(
  em: EntityManager,
  { userId, id }: AccountKey,
  answer: Pick<Listing, 'transactions' | 'removed' | 'covered'>,
  timeZone: string,
): Promise<StoredRow[]> {
  const since = firstDayOf(answer);
  const ids = [...answer.transactions.map(({ externalId }) => externalId), ...(answer.removed ?? [])];
  const pendingIds = answer.transactions.flatMap(({ pending, externalId }) => (pending ? [externalId] : []));
  const isOfAccount = sql`user_id = ${userId} and account_id = ${id}`;
  const { rows } = await sql<StoredRow>`
    select id::text, external_id as "externalId", date::text, amount_minor::float8 as "amountMinor", currency, description,
      merchant, pending, is_withdrawn as "isWithdrawn", hold_external_id as "holdExternalId",
      extract(epoch from missing_since)::float8 * 1000 as "missingSince",
      (created_at at time zone ${timeZone})::date::text as "storedOn", first_seen_at::text as "firstSeenAt",
      created_at::text as "createdAt"
    from (
      select id, external_id, coalesce(listed_date, date) as date, coalesce(listed_minor, amount_minor) as amount_minor, currency,
        description, merchant, pending, false as is_withdrawn, hold_external_id, missing_since, first_seen_at, created_at
      from transactions
      where ${isOfAccount} and source = 'bank' and (date >= ${since}::date or listed_date >= ${since}::date or pending
        or external_id = any(${ids}::text[]) or hold_external_id = any(${pendingIds}::text[]))
      union all
      select * from (
        select distinct on (transaction_id) transaction_id as id, external_id, date, amount_minor, currency, description,
          merchant, false, true, hold_external_id, null::timestamptz, first_seen_at, transaction_created_at
        from transaction_versions v
        where ${isOfAccount} and reason = 'withdrawn'
          and not exists (select 1 from transactions t where t.user_id = v.user_id and t.id = v.transaction_id)
        order by transaction_id, listed_until desc, v.id
      ) withdrawn
      where date >= ${since}::date or external_id = any(${ids}::text[])
    ) stored
    order by date, first_seen_at, id
  `.execute(em.getKysely());
  return rows;
}

/** Writes what an answer changes. A posted transaction is never overwritten: a version of it is kept. */
export async function applyPlan(
  em: EntityManager,
  account: AccountKey,
  plan: ListingPlan,
  seenAt: Date,
): Promise<{ added: number; updated: number; removed: number }> {
  await endRows(em, account, plan, seenAt);
  await renameRows(em, account, plan, seenAt);
  for (let start = 0; start < plan.written.length; start += MAX_ROWS_PER_STATEMENT)
    await writeRows(em, account, plan.written.slice(start, start + MAX_ROWS_PER_STATEMENT), seenAt);
  const { added, updated, withdrawn, expired } = plan;
  const removed = [...withdrawn.keys(), ...expired];
  noteTransactions(account, [...plan.written.map(({ id }) => id), ...removed]);
  return { added, updated, removed: removed.length };
}

/** Keeps versions of posted transactions as they were listed until now, and deletes what is no longer in the list. */
async function endRows(
  em: EntityManager,
  { userId, id }: AccountKey,
  { ended, withdrawn, expired }: ListingPlan,
  at: Date,
): Promise<void> {
  const deleted = [...withdrawn.keys(), ...expired];
  if (ended.size === 0 && deleted.length === 0) return;
  const replacedBy = new Map([...withdrawn].flatMap(([id, by]) => (by === null ? [] : [[id, by]])));
  const kysely = em.getKysely<Tables>();
  await kysely
    .with('gone', (having) =>
      having
        .deleteFrom('transactions')
        .where('user_id', '=', userId)
        .where('account_id', '=', id)
        .where((eb) => eb('id', '=', eb.fn.any(eb.val(deleted)))),
    )
    .insertInto('transaction_versions')
    .columns([...VERSION_COLUMNS, 'replaced_by'])
    .expression((eb) =>
      eb
        .selectFrom('transactions as t')
        .select((eb) => {
          const key = eb.cast<string>('t.id', 'text');
          return [
            ...versionOf(eb, lookUp(ended, key), at),
            eb.cast<string | null>(lookUp(replacedBy, key), 'uuid').as('replaced_by'),
          ];
        })
        .where('t.user_id', '=', userId)
        .where('t.account_id', '=', id)
        .where((eb) => eb('t.id', '=', eb.fn.any(eb.val([...ended.keys()])))),
    )
    .execute();
}

/** Gives stored transactions other external ids, and notes which are missing; they stay the same records. */
async function renameRows(
  em: EntityManager,
  { userId, id }: AccountKey,
  { externalIds, holdIds, missing, found }: ListingPlan,
  at: Date,
): Promise<void> {
  const ids = [...new Set([...externalIds.keys(), ...holdIds.keys(), ...missing, ...found])];
  if (ids.length === 0) return;
  await em
    .getKysely<Tables>()
    .updateTable('transactions')
    .set((eb) => {
      const key = eb.cast<string>('id', 'text');
      return {
        external_id: eb.fn.coalesce(lookUp(externalIds, key), 'external_id'),
        hold_external_id: eb.fn.coalesce(lookUp(holdIds, key), 'hold_external_id'),
        missing_since: eb
          .case()
          .when(eb('id', '=', eb.fn.any(eb.val(missing))))
          .then(eb.cast<Date | null>(eb.val(at), 'timestamptz'))
          .when(eb('id', '=', eb.fn.any(eb.val(found))))
          .then(eb.lit(null))
          .else(eb.ref('missing_since'))
          .end(),
      };
    })
    .where('user_id', '=', userId)
    .where('account_id', '=', id)
    .where((eb) => eb('id', '=', eb.fn.any(eb.val(ids))))
    .execute();
}

/**
 * Inserts new transactions and updates changed ones in place, so that they keep their id. Uses the conflict on the natural key
 * and not a join: the planner has no statistics of an account that was first synced a moment ago, and would scan all of it
 * for a few rows. Raw, because rows come as one array for each column.
 */
async function writeRows(
  em: EntityManager,
  { userId, id }: AccountKey,
  rows: readonly WrittenRow[],
  seenAt: Date,
): Promise<void> {
  await sql`
    insert into transactions as stored (user_id, account_id, id, external_id, date, amount_minor, currency, description,
      merchant, pending, hold_external_id, first_seen_at, listed_from, created_at)
    select ${userId}, ${id}, listed.id, external_id, date, amount_minor, currency, description, merchant, pending,
      hold_external_id, coalesce(first_seen_at, ${seenAt}), case when created_at is not null then ${seenAt}::timestamptz end,
      coalesce(created_at, now())
    from unnest(
      ${rows.map(({ id }) => id)}::uuid[],
      ${rows.map(({ row }) => row.externalId)}::text[],
      ${rows.map(({ row }) => row.date)}::date[],
      ${rows.map(({ row }) => row.amountMinor)}::bigint[],
      ${rows.map(({ row }) => row.currency)}::text[],
      ${rows.map(({ row }) => row.description)}::text[],
      ${rows.map(({ row }) => row.merchant)}::text[],
      ${rows.map(({ row }) => row.pending)}::boolean[],
      ${rows.map(({ holdExternalId, restored }) => restored?.holdExternalId ?? holdExternalId)}::text[],
      ${rows.map(({ restored }) => restored?.firstSeenAt ?? null)}::timestamptz[],
      ${rows.map(({ restored }) => restored?.createdAt ?? null)}::timestamptz[]
    ) as listed (id, external_id, date, amount_minor, currency, description, merchant, pending, hold_external_id,
      first_seen_at, created_at)
    on conflict (user_id, account_id, external_id) do update set
      date = excluded.date, amount_minor = excluded.amount_minor, listed_date = null, listed_minor = null, currency = excluded.currency,
      description = excluded.description, merchant = excluded.merchant, pending = excluded.pending,
      first_seen_at = case when stored.pending and not excluded.pending then ${seenAt} else stored.first_seen_at end,
      listed_from = ${seenAt}, missing_since = null, updated_at = excluded.updated_at
  `.execute(em.getKysely());
}

/** Notes that transactions of an account were added, changed or removed. */
function noteTransactions({ userId, id }: AccountKey, ids: readonly string[]): void {
  if (ids.length > 0) noteChanges(userId, { kind: 'transactions', accountId: id, ids });
}

/**
 * The value of a row's id, looked up in one JSON object. A join would compare all pairs for every row: the planner has no
 * statistics of an account that was first synced a moment ago.
 */
export function lookUp<Value extends string>(valuesById: ReadonlyMap<string, Value>, id: Expression<string>) {
  // The function of the operator ->>, which the builder does not have.
  return expressionBuilder<Tables>().fn<Value>('jsonb_object_field_text', [jsonOf(valuesById), id]);
}

export function jsonOf(valuesById: ReadonlyMap<string, string>) {
  const eb = expressionBuilder<Tables>();
  return eb.cast<object>(eb.val(JSON.stringify(Object.fromEntries(valuesById))), 'jsonb');
}

/** Counts the transactions of an account, the versions of them, and the transactions of its person. */
export async function countStored(em: EntityManager, { userId, id }: AccountKey) {
  const { transactions, versions, ofPerson } = await em
    .getKysely<Tables>()
    .selectNoFrom((eb) => {
      const countOf = (table: 'transactions' | 'transaction_versions') =>
        eb
          .selectFrom(table)
          .select(({ fn }) => fn.countAll<string>().as('count'))
          .where('user_id', '=', userId);
      return [
        countOf('transactions').where('account_id', '=', id).as('transactions'),
        countOf('transaction_versions').where('account_id', '=', id).as('versions'),
        countOf('transactions').as('ofPerson'),
      ];
    })
    .executeTakeFirstOrThrow();
  return { transactions: Number(transactions), versions: Number(versions), ofPerson: Number(ofPerson) };
}

/** Deletes the pending transactions of accounts, which are locked. */
export async function deletePending(em: EntityManager, userId: string, accountIds: readonly string[]): Promise<void> {
  const deleted = await em
    .getKysely<Tables>()
    .deleteFrom('transactions')
    .where('user_id', '=', userId)
    .where((eb) => eb('account_id', '=', eb.fn.any(eb.val([...accountIds]))))
    .where('pending', '=', true)
    .returning(['id', 'account_id'])
    .execute();
  for (const [id, rows] of Map.groupBy(deleted, ({ account_id }) => account_id)) {
    noteTransactions(
      { userId, id },
      rows.map((row) => row.id),
    );
  }
}
