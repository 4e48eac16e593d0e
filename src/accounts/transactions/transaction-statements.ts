import { type RawBuilder, sql } from 'kysely';
import type { ListTransactionsQuery } from './list-transactions.query.js';

/** Newest day first; those of one day in a fixed order. */
export function matchingTransactions(userId: string, query: ListTransactionsQuery): RawBuilder<unknown> {
  return sql`
    select t.id, t.date::text as date, t.amount_minor::float8 as amount_minor, t.currency, t.description, t.merchant,
      t.pending, t.account_id, a.name as account_name,
      date_part('epoch', t.created_at) as created_at,
      date_part('epoch', t.updated_at) as updated_at
    from transactions t join accounts a on a.user_id = t.user_id and a.id = t.account_id
    where ${transactionConditions(userId, query)}
    order by t.date desc, t.account_id, t.id`;
}

export function transactionConditions(userId: string, query: ListTransactionsQuery): RawBuilder<unknown> {
  const all = [sql`t.user_id = ${userId}`];
  if (query.account_id) all.push(sql`t.account_id = ${query.account_id}`);
  if (query.currency) all.push(sql`t.currency = ${query.currency}`);
  if (query.start_date) all.push(sql`t.date >= ${query.start_date}`);
  if (query.end_date) all.push(sql`t.date <= ${query.end_date}`);
  if (query.pending !== undefined) all.push(sql`t.pending = ${query.pending}`);
  for (const word of query.search?.split(/\s+/) ?? []) {
    const pattern = `%${word.replace(/[\\%_]/g, '\\$&')}%`;
    all.push(sql`(t.description ilike ${pattern} or t.merchant ilike ${pattern})`);
  }
  return sql.join(all, sql` and `);
}
