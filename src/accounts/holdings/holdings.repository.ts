import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { type RawBuilder, sql } from 'kysely';
import { ListReads } from '../../change-log/list-reads.js';
import type { HoldingRow, HoldingTotalRow } from './holding.response.js';
import type { ListHoldingsQuery } from '../account-filter.query.js';

const POSITION = sql`h.account_id, a.name as account_name, newest.day::text as date, h.symbol, h.name,
  h.quantity::text as quantity, h.currency, h.price::text as price, h.value_minor::float8 as value_minor,
  h.cost_basis_minor::float8 as cost_basis_minor, h.cash_equivalent`;

/** Reads holdings. Raw, because amounts are cast: the driver gives them as text. */
@Injectable()
export class HoldingsRepository {
  constructor(
    private readonly em: EntityManager,
    private readonly reads: ListReads,
  ) {}

  /**
   * The newest snapshot of each account, most valuable position first. An empty snapshot means that everything was
   * sold.
   */
  listPage(
    userId: string,
    query: ListHoldingsQuery,
  ): Promise<{ rows: HoldingRow[]; totals: HoldingTotalRow[]; totalCount: number }> {
    return this.reads.page(userId, async (source) => {
      const kysely = source.kysely();
      const from = newestPositions(userId, query);
      const { rows: totals } = await sql<HoldingTotalRow>`
        select h.currency, sum(h.value_minor)::float8 as value_minor, count(*)::float8 as positions
        ${from} group by h.currency order by h.currency
      `.execute(kysely);
      const { rows } = await sql<HoldingRow>`
        select ${POSITION} ${from} order by a.name, h.account_id, h.value_minor desc, h.external_id
        limit ${query.per_page} offset ${(query.page - 1) * query.per_page}
      `.execute(kysely);
      return { rows, totals, totalCount: totals.reduce((sum, { positions }) => sum + positions, 0) };
    });
  }

  /** The newest snapshot of one account. */
  async listOfAccount(userId: string, accountId: string): Promise<HoldingRow[]> {
    const { rows } = await sql<HoldingRow>`
      select ${POSITION} ${newestPositions(userId, { account_id: [accountId] })} order by h.value_minor desc, h.external_id
    `.execute(this.em.getKysely());
    return rows;
  }
}

type HoldingFilter = Partial<Pick<ListHoldingsQuery, 'account_id' | 'currency' | 'date'>>;

function newestPositions(userId: string, { account_id, currency, date }: HoldingFilter): RawBuilder<unknown> {
  return sql`
    from accounts a
    join lateral (
      select o.observed_at, o.day from observations o
      where o.user_id = ${userId} and o.account_id = a.id and o.has_holdings
        ${date ? sql`and o.day <= ${date}` : sql``}
      order by o.observed_at desc limit 1
    ) newest on true
    join holdings h on h.user_id = ${userId} and h.account_id = a.id and h.observed_at = newest.observed_at
    where a.user_id = ${userId}
      ${account_id ? sql`and a.id = any(${account_id}::uuid[])` : sql``}
      ${currency ? sql`and h.currency = any(${currency}::text[])` : sql``}
  `;
}
