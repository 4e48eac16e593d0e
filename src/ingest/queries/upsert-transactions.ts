import type { EntityManager } from '@mikro-orm/postgresql';
import { type RawBuilder, sql } from 'kysely';
import type { Account } from '../../accounts/account.entity.js';
import type { SnapshotTransaction } from '../../bank-provider/bank-provider.js';
import { incomingRows } from './incoming-rows.js';

export interface TransactionCounts {
  added: number;
  updated: number;
  removed: number;
}

const MAX_ROWS_PER_STATEMENT = 10_000;

type Written = Omit<TransactionCounts, 'removed'>;

/** Adds the first transactions of an account, which cannot be stored yet: looking for each would take a third longer. */
export async function addTransactions(
  em: EntityManager,
  account: Account,
  transactions: readonly SnapshotTransaction[],
  seenAt: Date,
): Promise<Written> {
  for (const part of inParts(transactions)) await insertion(account, part, seenAt).execute(em.getKysely());
  return { added: transactions.length, updated: 0 };
}

/**
 * Brings the stored transactions of an account to what a snapshot says: missing rows are added, differing rows updated
 * in place (they keep their id), equal rows not touched. The natural key is the provider's id within the account. A day
 * that is only a guess never replaces a stored one.
 */
export async function writeTransactions(
  em: EntityManager,
  account: Account,
  transactions: readonly SnapshotTransaction[],
  seenAt: Date,
): Promise<Written> {
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
 * By a conflict on the natural key and not by a join, for which the planner would have to know the account: of one that
 * was first synced a moment ago it knows nothing yet, and reads all of it for a handful of rows. A row that replaces no
 * other one has no `xmax`.
 *
 * @param date the day that a row has which is stored already
 */
async function upsert(
  em: EntityManager,
  account: Account,
  transactions: readonly SnapshotTransaction[],
  date: RawBuilder<unknown>,
  seenAt: Date,
): Promise<Written> {
  if (transactions.length === 0) return { added: 0, updated: 0 };
  const { rows } = await sql<Written>`
    with written as (
      ${insertion(account, transactions, seenAt)}
      on conflict (user_id, account_id, external_id) do update set
        date = ${date}, amount_minor = excluded.amount_minor, currency = excluded.currency,
        description = excluded.description, merchant = excluded.merchant, pending = excluded.pending,
        first_seen_at = case when stored.pending and not excluded.pending then ${seenAt} else stored.first_seen_at end,
        missing_since = null,
        updated_at = now()
      where (stored.date, stored.amount_minor, stored.currency, stored.description, stored.merchant, stored.pending)
        is distinct from (${date}, excluded.amount_minor, excluded.currency, excluded.description, excluded.merchant,
          excluded.pending)
      returning xmax = 0 as is_added
    )
    select (count(*) filter (where is_added))::integer as added, (count(*) filter (where not is_added))::integer as updated
    from written
  `.execute(em.getKysely());
  return rows[0]!;
}

/** A statement of many rows takes long to write down, and nothing else runs meanwhile. */
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
