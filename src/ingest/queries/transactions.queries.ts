import type { EntityManager, InferClassEntityDB } from '@mikro-orm/postgresql';
import { type Expression, expressionBuilder, type RawBuilder, sql } from 'kysely';
import type { Account } from '../../accounts/account.entity.js';
import { noteChanges } from '../../change-log/note-changes.js';
import type { SnapshotAccount, SnapshotTransaction } from '../../bank-provider/bank-provider.js';
import { Transaction } from '../../accounts/transactions/transaction.entity.js';
import { addDays, DAY_MS, dateInTimeZone, earliest } from '../../time/calendar-date.js';
import type { ComparedTransaction } from '../matching/pair-transactions.js';
import type { PostedPair } from '../matching/match-pending-to-posted.js';

type Tables = InferClassEntityDB<typeof Transaction>;
type AccountKey = Pick<Account, 'userId' | 'id'>;

/** A pending transaction expires when complete answers have not listed it for so long. */
const EXPIRY_MS = 3 * DAY_MS;
/** The longest that a bank keeps a transaction pending. */
export const MAX_PENDING_DAYS = 61;

interface UpsertCounts {
  added: number;
  updated: number;
}

/** Building a statement of more rows would block the event loop. */
const MAX_ROWS_PER_STATEMENT = 10_000;

/**
 * Inserts new transactions and updates changed ones in place, so that they keep their id. The natural key is the provider's
 * id within the account. A guessed date never replaces a stored one.
 */
export async function upsertTransactions(
  em: EntityManager,
  account: Account,
  transactions: readonly SnapshotTransaction[],
  seenAt: Date,
): Promise<UpsertCounts> {
  const dated = transactions.filter(({ dateIsGuess }) => !dateIsGuess);
  const guessed = transactions.filter(({ dateIsGuess }) => dateIsGuess);
  const total = { added: 0, updated: 0 };
  for (const [rows, date] of [
    [dated, sql`excluded.date`],
    [guessed, sql`stored.date`],
  ] as const) {
    for (let start = 0; start < rows.length; start += MAX_ROWS_PER_STATEMENT) {
      const part = rows.slice(start, start + MAX_ROWS_PER_STATEMENT);
      const { added, updated } = await upsert(em, account, part, date, seenAt);
      total.added += added;
      total.updated += updated;
    }
  }
  return total;
}

/**
 * Uses the conflict on the natural key and not a join: the planner has no statistics of an account that was first
 * synced a moment ago, and would scan all of it for a few rows. An inserted row has no `xmax`. Raw, for `xmax`, and
 * because rows come as one array for each column.
 *
 * @param date the date of a row that is stored already
 */
async function upsert(
  em: EntityManager,
  account: Account,
  transactions: readonly SnapshotTransaction[],
  date: RawBuilder<unknown>,
  seenAt: Date,
): Promise<UpsertCounts> {
  const { rows } = await sql<UpsertCounts & { ids: string[] }>`
    with written as (
      ${insertion(account, transactions, seenAt)}
      on conflict (user_id, account_id, external_id) do update set
        date = ${date}, amount_minor = excluded.amount_minor, currency = excluded.currency,
        description = excluded.description, merchant = excluded.merchant, pending = excluded.pending,
        first_seen_at = case when stored.pending and not excluded.pending then ${seenAt} else stored.first_seen_at end,
        listed_from = ${seenAt}, missing_since = null,
        updated_at = excluded.updated_at
      where (stored.date, stored.amount_minor, stored.currency, stored.description, stored.merchant, stored.pending)
        is distinct from (${date}, excluded.amount_minor, excluded.currency, excluded.description, excluded.merchant,
          excluded.pending)
      returning id, xmax = 0 as is_added
    )
    select (count(*) filter (where is_added))::integer as added, (count(*) filter (where not is_added))::integer as updated,
      coalesce(array_agg(id::text), '{}') as ids
    from written
  `.execute(em.getKysely());
  const { ids, ...counts } = rows[0]!;
  noteTransactions(account, ids);
  return counts;
}

/** The transactions of an answer as new rows. */
function insertion({ userId, id }: Account, rows: readonly SnapshotTransaction[], seenAt: Date) {
  return sql`
    insert into transactions as stored
      (user_id, account_id, external_id, date, amount_minor, currency, description, merchant, pending, first_seen_at)
    select ${userId}, ${id}, listed.*, ${seenAt}
    from unnest(
      ${rows.map(({ externalId }) => externalId)}::text[],
      ${rows.map(({ date }) => date)}::date[],
      ${rows.map(({ amountMinor }) => amountMinor)}::bigint[],
      ${rows.map(({ currency }) => currency)}::text[],
      ${rows.map(({ description }) => description)}::text[],
      ${rows.map(({ merchant }) => merchant)}::text[],
      ${rows.map(({ pending }) => pending)}::boolean[]
    ) as listed`;
}

/** Notes that transactions of an account were added, changed or removed. */
export function noteTransactions({ userId, id }: AccountKey, ids: readonly string[]): void {
  if (ids.length > 0) noteChanges(userId, { kind: 'transactions', accountId: id, ids });
}

/**
 * The value of a row's id, looked up in one JSON object. A join would compare all pairs for every row: the planner has no
 * statistics of an account that was first synced a moment ago.
 */
export function lookUp(valuesById: ReadonlyMap<string, string>, id: Expression<string>) {
  // The function of the operator ->>, which the builder does not have.
  return expressionBuilder<Tables>().fn<string | null>('jsonb_object_field_text', [jsonOf(valuesById), id]);
}

export function jsonOf(valuesById: ReadonlyMap<string, string>) {
  const eb = expressionBuilder<Tables>();
  return eb.cast<object>(eb.val(JSON.stringify(Object.fromEntries(valuesById))), 'jsonb');
}

/** Gives stored transactions of an account other external ids, which none may have yet; they stay the same records. */
export function changeExternalIds(
  em: EntityManager,
  account: AccountKey,
  newIds: ReadonlyMap<string, string>,
): Promise<void> {
  return setByExternalId(em, account, 'external_id', newIds);
}

/** Stores the pending ids of posted transactions, so that the pending ones are not added again. */
export function rememberPendingIds(
  em: EntityManager,
  account: AccountKey,
  pairs: readonly PostedPair[],
): Promise<void> {
  const pendingIds = new Map(pairs.map(({ pendingId, postedId }) => [postedId, pendingId]));
  return setByExternalId(em, account, 'hold_external_id', pendingIds);
}

/** @param values by the external ids of the rows */
async function setByExternalId(
  em: EntityManager,
  { userId, id }: AccountKey,
  column: 'external_id' | 'hold_external_id',
  values: ReadonlyMap<string, string>,
): Promise<void> {
  if (values.size === 0) return;
  await em
    .getKysely<Tables>()
    .updateTable('transactions')
    .set((eb) => ({ [column]: lookUp(values, eb.ref('external_id')) }))
    .where('user_id', '=', userId)
    .where('account_id', '=', id)
    .where((eb) => eb('external_id', '=', eb.fn.any(eb.val([...values.keys()]))))
    .execute();
}

/** The members of a {@link ComparedTransaction}. */
function selectCompared(em: EntityManager, { userId, id }: Account) {
  return em
    .getKysely<Tables>({ convertValues: true })
    .selectFrom('transactions')
    .select(['external_id', 'date', 'amount_minor', 'currency', 'description', 'merchant'])
    .where('user_id', '=', userId)
    .where('account_id', '=', id);
}

/** Names the members of a row as in an answer. */
export function toCompared<Row extends { external_id: string; amount_minor: number }>({
  external_id: externalId,
  amount_minor: amountMinor,
  ...row
}: Row) {
  return { ...row, externalId, amountMinor };
}

export async function listPending(em: EntityManager, account: Account): Promise<ComparedTransaction[]> {
  const rows = await selectCompared(em, account).where('pending', '=', true).execute();
  return rows.map(toCompared);
}

/**
 * Lists posted transactions without a known pending one, or whose pending one is not listed, that have the amount of one of
 * these pending ones and are not older than the oldest. Where the pending one is known, its id may have changed: then it
 * was made no later than on the day on which the transaction was first stored, which is given as its date.
 *
 * @param listedIds the ids of all pending transactions that are listed
 * @param timeZone in which transactions have their day
 */
export async function listPostedCandidates(
  em: EntityManager,
  account: Account,
  pending: readonly ComparedTransaction[],
  listedIds: readonly string[],
  timeZone: string,
): Promise<ComparedTransaction[]> {
  const oldest = pending.map(({ date }) => date).reduce((first, date) => (date < first ? date : first));
  const rows = await selectCompared(em, account)
    .select(['hold_external_id', 'created_at'])
    .where('pending', '=', false)
    .where('date', '>=', oldest)
    // An array, because a statement has fewer parameters than an answer may have rows.
    .where((eb) => eb('amount_minor', '=', eb.fn.any(eb.val(pending.map(({ amountMinor }) => amountMinor)))))
    .where((eb) =>
      eb.or([
        eb('hold_external_id', 'is', null),
        eb.not(eb('hold_external_id', '=', eb.fn.any(eb.val([...listedIds])))),
      ]),
    )
    .execute();
  return rows.map(({ hold_external_id: pendingId, created_at: storedAt, ...row }) => {
    const date = pendingId === null ? row.date : earliest(row.date, dateInTimeZone(storedAt, timeZone));
    return toCompared({ ...row, date });
  });
}

/**
 * Which of these pending ids are stored as posted already, as the pending ones of others or by themselves. Providers may
 * list both for a while, or call a posted one pending again.
 */
export async function findSupersededIds(
  em: EntityManager,
  { userId, id }: Account,
  pendingIds: readonly string[],
): Promise<Set<string>> {
  if (pendingIds.length === 0) return new Set();
  const rows = await em
    .getKysely<Tables>()
    .selectFrom('transactions')
    .select(['external_id', 'hold_external_id'])
    .where('user_id', '=', userId)
    .where('account_id', '=', id)
    .where('pending', '=', false)
    .where((eb) => {
      const ids = eb.fn.any(eb.val([...pendingIds]));
      return eb.or([eb('hold_external_id', '=', ids), eb('external_id', '=', ids)]);
    })
    .execute();
  return new Set(rows.flatMap((row) => [row.external_id, row.hold_external_id ?? row.external_id]));
}

/** The ids of those of the accounts that have pending transactions. */
export async function accountsWithPending(
  em: EntityManager,
  userId: string,
  accounts: readonly Account[],
): Promise<Set<string>> {
  if (accounts.length === 0) return new Set();
  const rows = await em
    .getKysely<Tables>()
    .selectFrom('transactions')
    .select('account_id')
    .distinct()
    .where('user_id', '=', userId)
    .where((eb) => eb('account_id', '=', eb.fn.any(eb.val(accounts.map(({ id }) => id)))))
    .where('pending', '=', true)
    .execute();
  return new Set(rows.map(({ account_id }) => account_id));
}

/**
 * Deletes the pending transactions that complete answers have not listed for long enough. Those before the covered days
 * stay, because the answer says nothing about them, but for those that are too old to be pending: no answer is asked to
 * cover them. An answer with rows that could not be read says only which are listed.
 *
 * @returns how many were deleted
 */
export async function expirePending(
  em: EntityManager,
  account: Account,
  {
    transactions,
    coveredFrom,
    complete,
    unreadableRows,
  }: Pick<SnapshotAccount, 'transactions' | 'coveredFrom' | 'complete' | 'unreadableRows'>,
  now: Date,
): Promise<number> {
  const { userId, id } = account;
  const listed = transactions.filter(({ pending }) => pending).map(({ externalId }) => externalId);
  const saysMissing = complete && coveredFrom !== null && unreadableRows === 0;
  const earliestPendingDate = addDays(dateInTimeZone(now, 'UTC'), -MAX_PENDING_DAYS);
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
    .where((eb) => {
      const isListed = eb('external_id', '=', eb.fn.any(eb.val(listed)));
      if (!saysMissing) return isListed;
      return eb.or([isListed, eb('date', '>=', coveredFrom), eb('date', '<', earliestPendingDate)]);
    })
    .where((eb) =>
      eb(eb.parens('missing_since', 'is', null), '!=', eb.parens('external_id', '=', eb.fn.any(eb.val(listed)))),
    )
    .execute();
  return saysMissing ? deletePending(em, userId, [id], new Date(now.getTime() - EXPIRY_MS)) : 0;
}

/**
 * Deletes pending transactions of accounts, which are locked.
 *
 * @param missingSince only those that have been missing at least since then
 * @returns how many were deleted
 */
export async function deletePending(
  em: EntityManager,
  userId: string,
  accountIds: readonly string[],
  missingSince?: Date,
): Promise<number> {
  const pending = em
    .getKysely<Tables>()
    .deleteFrom('transactions')
    .where('user_id', '=', userId)
    .where((eb) => eb('account_id', '=', eb.fn.any(eb.val([...accountIds]))))
    .where('pending', '=', true)
    .returning(['id', 'account_id']);
  const deleted = await (missingSince ? pending.where('missing_since', '<=', missingSince) : pending).execute();
  for (const [id, rows] of Map.groupBy(deleted, ({ account_id }) => account_id)) {
    noteTransactions(
      { userId, id },
      rows.map((row) => row.id),
    );
  }
  return deleted.length;
}
