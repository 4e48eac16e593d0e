import { type RawBuilder, sql } from 'kysely';
import type { CalendarDate } from '../../time/calendar-date.js';
import type { ListTransactionsQuery } from './list-transactions.query.js';
import type { TransactionRow } from './transaction.response.js';
import type { EndedVersionRow, ListedRow } from './transaction-record.response.js';

// Raw, because amounts, days and instants are cast to the types of the answer, and sort keys are compared as rows.

/** The columns of a {@link TransactionRow} that a transaction and its versions share. */
const FACTS = sql`t.date::text as date, t.amount_minor::float8 as amount_minor, t.currency, t.description, t.merchant,
  t.account_id, a.name as account_name`;

const CURRENT = sql`t.id, t.pending, ${FACTS}, date_part('epoch', t.created_at) as created_at,
  date_part('epoch', t.updated_at) as updated_at`;

const FROM_CURRENT = sql`from transactions t join accounts a on a.user_id = t.user_id and a.id = t.account_id`;

/** The default order and, read backwards, the other. */
const NEWEST_FIRST = sql`t.date desc, t.account_id, t.id`;
const OLDEST_FIRST = sql`t.date, t.account_id desc, t.id desc`;

/** By day, then in a fixed order. */
export function matchingTransactions(userId: string, query: ListTransactionsQuery): RawBuilder<unknown> {
  return sql`
    select ${CURRENT} ${FROM_CURRENT} where ${transactionConditions(userId, query)} order by ${orderOf(query)}`;
}

/**
 * The next transactions after a position. They are selected before the join, because PostgreSQL underestimates the join
 * and would read and sort all remaining rows.
 *
 * @param after the sort key of the last record read; `null`: from the beginning
 */
export function nextTransactions(
  userId: string,
  query: ListTransactionsQuery,
  after: TransactionPlace | null,
  limit: number,
): RawBuilder<TransactionRow> {
  const isAfter = after ? sql`and ${afterPlace(after, query)}` : sql``;
  const order = orderOf(query);
  return sql`
    select ${CURRENT} from (
      select t.* from transactions t where ${transactionConditions(userId, query)} ${isAfter} order by ${order} limit ${limit}
    ) t join accounts a on a.user_id = ${userId} and a.id = t.account_id order by ${order}`;
}

function orderOf({ sort }: ListTransactionsQuery): RawBuilder<unknown> {
  return sort === 'date' ? OLDEST_FIRST : NEWEST_FIRST;
}

/** The sort key of a transaction. */
export type TransactionPlace = readonly [date: CalendarDate, accountId: string, id: string];

/** The first comparison uses the index; the second excludes the part of that day already read. */
function afterPlace([date, accountId, id]: TransactionPlace, { sort }: ListTransactionsQuery): RawBuilder<unknown> {
  const others = sql`(${accountId}::uuid, ${id}::uuid)`;
  return sort === 'date'
    ? sql`t.date >= ${date} and not (t.date = ${date} and (t.account_id, t.id) >= ${others})`
    : sql`t.date <= ${date} and not (t.date = ${date} and (t.account_id, t.id) <= ${others})`;
}

export function transactionById(userId: string, id: string): RawBuilder<ListedRow> {
  return sql`
    select ${CURRENT}, date_part('epoch', coalesce(t.listed_from, t.first_seen_at)) as listed_from ${FROM_CURRENT}
    where t.user_id = ${userId} and t.id = ${id}`;
}

export function transactionsByIds(userId: string, ids: readonly string[]): RawBuilder<TransactionRow> {
  return sql`
    select ${CURRENT} ${FROM_CURRENT} where t.user_id = ${userId} and t.id = any(${[...ids]}::uuid[]) order by t.id`;
}

export function transactionsAfter(
  userId: string,
  accountId: string,
  { day, id, limit }: { day: CalendarDate | null; id: string | null; limit: number },
): RawBuilder<TransactionRow> {
  return sql`
    select ${CURRENT} ${FROM_CURRENT} where t.user_id = ${userId} and t.account_id = ${accountId}
      and (${day}::date is null or (t.date, t.id) > (${day}::date, ${id}::uuid))
    order by t.date, t.id limit ${limit}`;
}

/** The ended versions, newest first. */
export function versionsOf(userId: string, transactionId: string): RawBuilder<EndedVersionRow> {
  return sql`
    select t.transaction_id as id, false as pending, ${FACTS}, date_part('epoch', t.transaction_created_at) as created_at,
      date_part('epoch', t.listed_until) as updated_at, date_part('epoch', t.listed_from) as listed_from,
      date_part('epoch', t.listed_until) as listed_until, t.reason, t.replaced_by
    from transaction_versions t join accounts a on a.user_id = t.user_id and a.id = t.account_id
    where t.user_id = ${userId} and t.transaction_id = ${transactionId}
    order by t.listed_until desc, t.listed_from desc, t.id`;
}

export function transactionConditions(userId: string, query: ListTransactionsQuery): RawBuilder<unknown> {
  const all = [sql`t.user_id = ${userId}`];
  if (query.account_id) all.push(sql`t.account_id = any(${query.account_id}::uuid[])`);
  if (query.currency) all.push(sql`t.currency = any(${query.currency}::text[])`);
  if (query.start_date) all.push(sql`t.date >= ${query.start_date}`);
  if (query.end_date) all.push(sql`t.date <= ${query.end_date}`);
  if (query.pending !== undefined) all.push(sql`t.pending = ${query.pending}`);
  for (const word of query.search?.split(/\s+/) ?? []) {
    const pattern = `%${word.replace(/[\\%_]/g, '\\$&')}%`;
    all.push(sql`(t.description ilike ${pattern} or t.merchant ilike ${pattern})`);
  }
  return sql.join(all, sql` and `);
}
