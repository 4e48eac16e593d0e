import type { EntityManager } from '@mikro-orm/postgresql';
import { type RawBuilder, sql } from 'kysely';
import type { Account } from '../../accounts/account.entity.js';
import { noteChanges } from '../../change-log/note-changes.js';
import type { SnapshotTransaction } from '../../bank-provider/bank-provider.js';

interface UpsertCounts {
  added: number;
  updated: number;
}

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
    for (const part of inParts(rows)) {
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
  if (transactions.length === 0) return { added: 0, updated: 0 };
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

/** Building a statement of many rows would block the event loop. */
function* inParts(transactions: readonly SnapshotTransaction[]): Generator<readonly SnapshotTransaction[]> {
  for (let at = 0; at < transactions.length; at += MAX_ROWS_PER_STATEMENT) {
    yield transactions.slice(at, at + MAX_ROWS_PER_STATEMENT);
  }
}

function insertion({ userId, id }: Account, transactions: readonly SnapshotTransaction[], seenAt: Date) {
  return sql`
    insert into transactions as stored
      (user_id, account_id, external_id, date, amount_minor, currency, description, merchant, pending, first_seen_at)
    select ${userId}, ${id}, external_id, date, amount_minor, currency, description, merchant, pending, ${seenAt}
    from (${incomingRows(transactions)}) incoming`;
}

/** Transactions of an answer as rows of a query: one array for each column. */
function incomingRows(rows: readonly SnapshotTransaction[]) {
  return sql`
    select * from unnest(
      ${rows.map(({ externalId }) => externalId)}::text[],
      ${rows.map(({ date }) => date)}::date[],
      ${rows.map(({ amountMinor }) => amountMinor)}::bigint[],
      ${rows.map(({ currency }) => currency)}::text[],
      ${rows.map(({ description }) => description)}::text[],
      ${rows.map(({ merchant }) => merchant)}::text[],
      ${rows.map(({ pending }) => pending)}::boolean[]
    ) as row (external_id, date, amount_minor, currency, description, merchant, pending)`;
}

/** Notes that transactions of an account were added, changed or removed. */
export function noteTransactions({ userId, id }: Pick<Account, 'userId' | 'id'>, ids: readonly string[]): void {
  if (ids.length > 0) noteChanges(userId, { kind: 'transactions', accountId: id, ids });
}

/**
 * Gives stored transactions of an account other external ids; they stay the same records. Each row looks its new id up
 * in one JSON object instead of a join: the planner has no statistics of an account that was first synced a moment ago,
 * and would compare all pairs for every row.
 *
 * @param newIds by the current external ids; none of the new ones may be in use
 */
export async function changeExternalIds(
  em: EntityManager,
  { userId, id }: Pick<Account, 'userId' | 'id'>,
  newIds: ReadonlyMap<string, string>,
): Promise<void> {
  if (newIds.size === 0) return;
  await sql`
    update transactions set external_id = ${JSON.stringify(Object.fromEntries(newIds))}::jsonb ->> external_id
    where user_id = ${userId} and account_id = ${id} and external_id = any(${[...newIds.keys()]}::text[])
  `.execute(em.getKysely());
}
