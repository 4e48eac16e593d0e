import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { type RawBuilder, sql } from 'kysely';
import type { ListTransactionsQuery } from './list-transactions.query.js';
import type { TransactionRow } from './transaction.response.js';

const UTC = sql.raw(`'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`);

/** Reads transactions. Lists are SQL with an explicit mapper. */
@Injectable()
export class TransactionsRepository {
  constructor(private readonly em: EntityManager) {}

  /** Newest day first; those of one day in a fixed order. */
  async listPage(
    userId: string,
    query: ListTransactionsQuery,
  ): Promise<{ rows: TransactionRow[]; totalCount: number }> {
    const kysely = this.em.getKysely();
    const where = conditions(userId, query);
    const { rows: counted } = await sql<{ total: number }>`
      select count(*)::float8 as total from transactions t where ${where}
    `.execute(kysely);
    const { rows } = await sql<TransactionRow>`
      select t.id, t.date::text as date, t.amount_minor::float8 as amount_minor, t.currency, t.description, t.merchant,
        t.pending, t.account_id, a.name as account_name,
        to_char(t.created_at at time zone 'UTC', ${UTC}) as created_at,
        to_char(t.updated_at at time zone 'UTC', ${UTC}) as updated_at
      from transactions t join accounts a on a.user_id = t.user_id and a.id = t.account_id
      where ${where}
      order by t.date desc, t.account_id, t.id
      limit ${query.per_page} offset ${(query.page - 1) * query.per_page}
    `.execute(kysely);
    return { rows, totalCount: counted[0]?.total ?? 0 };
  }
}

function conditions(userId: string, query: ListTransactionsQuery): RawBuilder<unknown> {
  const all = [sql`t.user_id = ${userId}`];
  if (query.account_id) all.push(sql`t.account_id = ${query.account_id}`);
  if (query.currency) all.push(sql`t.currency = ${query.currency}`);
  if (query.start_date) all.push(sql`t.date >= ${query.start_date}`);
  if (query.end_date) all.push(sql`t.date <= ${query.end_date}`);
  if (query.pending !== undefined) all.push(sql`t.pending = ${query.pending}`);
  return sql.join(all, sql` and `);
}
