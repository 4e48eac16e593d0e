import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import type { CalendarDate } from '../../time/calendar-date.js';

/** The contribution of one account to net worth in minor units: assets are positive, liabilities negative. */
export interface AccountSamples {
  accountId: string;
  currency: string;
  /** The balance of its newest record. */
  latest: number;
  /** The sampled days with a record, ascending. */
  values: readonly number[];
}

/** Reads a few days of every account: a small chart needs no more points than pixels. */
@Injectable()
export class AccountSamplesRepository {
  constructor(private readonly em: EntityManager) {}

  /** Every account with a record. The values are JSON, which is read much faster than an array. Raw, for ordered arrays of sums. */
  async read(userId: string, days: readonly CalendarDate[]): Promise<AccountSamples[]> {
    const { rows } = await sql<AccountSamples>`
      select a.id as "accountId", newest.currency, newest.amount::float8 as latest,
        coalesce(sampled.amounts, '[]') as values
      from accounts a
      join lateral (
        select b.currency, (b.end_cash + b.end_non_cash) * b.flows_factor as amount from balances b
        where b.user_id = ${userId} and b.account_id = a.id order by b.date desc limit 1
      ) newest on true
      cross join lateral (
        select json_agg((b.end_cash + b.end_non_cash) * b.flows_factor order by b.date) as amounts from balances b
        where b.user_id = ${userId} and b.account_id = a.id and b.currency = newest.currency
          and b.date = any(${[...days]}::date[])
      ) sampled
      where a.user_id = ${userId}
    `.execute(this.em.getKysely());
    return rows;
  }
}
