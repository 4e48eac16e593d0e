import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { type RawBuilder, sql } from 'kysely';
import type { AccountFilterQuery } from '../api/account-filter.query.js';
import type { BalanceRow } from './to-balance-response.js';

// Amounts leave PostgreSQL as float8, exact for every safe integer; instants as the text they are served in.
const UTC = sql.raw(`'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`);

const SELECT_ROW = sql`
  select b.id, b.date::text as date, b.currency, b.flows_factor, b.has_cash,
    b.start_cash::float8 as start_cash, b.start_non_cash::float8 as start_non_cash,
    b.cash_inflows::float8 as cash_inflows, b.cash_outflows::float8 as cash_outflows,
    b.non_cash_inflows::float8 as non_cash_inflows, b.non_cash_outflows::float8 as non_cash_outflows,
    b.net_market_flows::float8 as net_market_flows, b.cash_adjustments::float8 as cash_adjustments,
    b.non_cash_adjustments::float8 as non_cash_adjustments,
    b.end_cash::float8 as end_cash, b.end_non_cash::float8 as end_non_cash,
    to_char(b.created_at at time zone 'UTC', ${UTC}) as created_at,
    to_char(b.updated_at at time zone 'UTC', ${UTC}) as updated_at,
    b.account_id, a.name as account_name, a.account_type
  from balances b join accounts a on a.user_id = b.user_id and a.id = b.account_id
`;

/** Reads balance records. Lists are SQL; entities would cost five times as much. */
@Injectable()
export class BalancesRepository {
  constructor(private readonly em: EntityManager) {}

  /** Newest day first; accounts of one day in a fixed order, so that pages neither overlap nor skip. */
  async listPage(userId: string, query: AccountFilterQuery): Promise<{ rows: BalanceRow[]; totalCount: number }> {
    const where = conditions(userId, query);
    const { rows: counted } = await sql<{ total: number }>`
      select count(*)::float8 as total from balances b where ${where}
    `.execute(this.em.getKysely());
    // The page's keys come from the index alone; a row's many columns are only made for the page's rows.
    const { rows } = await sql<BalanceRow>`
      with page as (
        select b.account_id, b.date from balances b where ${where}
        order by b.date desc, b.account_id limit ${query.per_page} offset ${(query.page - 1) * query.per_page}
      )
      ${SELECT_ROW} join page on page.account_id = b.account_id and page.date = b.date
      where b.user_id = ${userId}
      order by b.date desc, b.account_id
    `.execute(this.em.getKysely());
    return { rows, totalCount: counted[0]?.total ?? 0 };
  }

  async findById(userId: string, id: string): Promise<BalanceRow | null> {
    const { rows } = await sql<BalanceRow>`
      ${SELECT_ROW} where b.user_id = ${userId} and b.id = ${id}
    `.execute(this.em.getKysely());
    return rows[0] ?? null;
  }
}

function conditions(userId: string, query: AccountFilterQuery): RawBuilder<unknown> {
  const all = [sql`b.user_id = ${userId}`];
  if (query.account_id) all.push(sql`b.account_id = ${query.account_id}`);
  if (query.currency) all.push(sql`b.currency = ${query.currency}`);
  if (query.start_date) all.push(sql`b.date >= ${query.start_date}`);
  if (query.end_date) all.push(sql`b.date <= ${query.end_date}`);
  return sql.join(all, sql` and `);
}
