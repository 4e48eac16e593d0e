import { EntityManager, type InferClassEntityDB } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { ListReads } from '../change-log/list-reads.js';
import type { Account } from './account.entity.js';
import type { AccountRow } from './account.response.js';

/**
 * With the newest balance and report in the account's own currency. Raw, because amounts and days are cast: the driver
 * gives amounts as text. Every part names the person: on Citus it would ask all nodes otherwise.
 */
const selectRow = (userId: string) => sql`
  select a.id, a.name, a.institution, a.account_type, a.currency, a.connection_id, a.provider, a.status,
    a.closed_on::text as closed_on, a.include_in_net_worth, a.hidden, a.unsupported_balance,
    a.holdings_supported,
    balance.end_minor::float8 as balance_minor, report.available_minor::float8 as available_minor,
    coalesce(report.balance_date, report.day)::text as balance_date
  from accounts a
  left join lateral (
    select end_cash + end_non_cash as end_minor from balances b
    where b.user_id = ${userId} and b.account_id = a.id and b.currency = a.currency order by date desc limit 1
  ) balance on true
  left join lateral (
    select available_minor, balance_date, day from observations o
    where o.user_id = ${userId} and o.account_id = a.id and o.currency = a.currency order by observed_at desc limit 1
  ) report on true
  where a.user_id = ${userId}
`;

/** Reads accounts. Lists are SQL with an explicit mapper. */
@Injectable()
export class AccountsRepository {
  constructor(
    private readonly em: EntityManager,
    private readonly reads: ListReads,
  ) {}

  /** By name. */
  listPage(
    userId: string,
    page: { page: number; per_page: number; account_id?: readonly string[] },
  ): Promise<{ rows: AccountRow[]; totalCount: number }> {
    return this.reads.page(userId, async (source) => {
      const kysely = source.kysely<InferClassEntityDB<typeof Account>>();
      const ids = page.account_id && [...page.account_id];
      const { total } = await kysely
        .selectFrom('accounts')
        .select(({ fn }) => fn.countAll<string>().as('total'))
        .where('user_id', '=', userId)
        .$if(ids !== undefined, (accounts) => accounts.where('id', 'in', ids!))
        .executeTakeFirstOrThrow();
      const { rows } = await sql<AccountRow>`
        ${selectRow(userId)} and ${ids ? sql`a.id = any(${ids}::uuid[])` : sql`true`}
        order by a.name, a.id limit ${page.per_page} offset ${(page.page - 1) * page.per_page}
      `.execute(kysely);
      return { rows, totalCount: Number(total) };
    });
  }

  /** All that a person has, by name. */
  list(userId: string): Promise<AccountRow[]> {
    return this.reads.page(userId, async (source) => {
      const { rows } = await sql<AccountRow>`
        ${selectRow(userId)} order by a.name, a.id
      `.execute(source.kysely());
      return rows;
    });
  }

  async findByIds(userId: string, ids: readonly string[]): Promise<AccountRow[]> {
    const { rows } = await sql<AccountRow>`
      ${selectRow(userId)} and a.id = any(${[...ids]}::uuid[]) order by a.id
    `.execute(this.em.getKysely());
    return rows;
  }

  async findById(userId: string, id: string): Promise<AccountRow | null> {
    const { rows } = await sql<AccountRow>`
      ${selectRow(userId)} and a.id = ${id}
    `.execute(this.em.getKysely());
    return rows[0] ?? null;
  }
}
