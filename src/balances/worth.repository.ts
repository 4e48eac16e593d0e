import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import type { CalendarDate } from '../time/calendar-date.js';
import type { AccountWorth, SampledDays } from './worth.js';

/** Reads what accounts were worth, on sampled days: a chart has not more points than a screen has. */
@Injectable()
export class WorthRepository {
  constructor(private readonly em: EntityManager) {}

  /** The first day of any record, `null` when there is none. */
  async firstDay(userId: string): Promise<CalendarDate | null> {
    const { rows } = await sql<{ day: CalendarDate | null }>`
      select min(date)::text as day from balances where user_id = ${userId}
    `.execute(this.em.getKysely());
    return rows[0]?.day ?? null;
  }

  /** Every account that has a record. */
  async byAccount(userId: string, { from, to, step }: SampledDays): Promise<AccountWorth[]> {
    const { rows } = await sql<AccountWorth>`
      select a.id as "accountId", newest.currency, sampled.first_day::text as "firstDay",
        coalesce(sampled.worth, '{}')::float8[] as values, newest.worth::float8 as latest,
        a.status = 'active' and a.connection_id is not null as "goesOn"
      from accounts a
      join lateral (
        select b.currency, (b.end_cash + b.end_non_cash) * b.flows_factor as worth from balances b
        where b.user_id = a.user_id and b.account_id = a.id order by b.date desc limit 1
      ) newest on true
      left join lateral (
        select min(b.date) as first_day,
          array_agg((b.end_cash + b.end_non_cash) * b.flows_factor order by b.date) as worth
        from balances b
        where b.user_id = a.user_id and b.account_id = a.id and b.date between ${from}::date and ${to}::date
          and (b.date - ${from}::date) % ${step} = 0
      ) sampled on true
      where a.user_id = ${userId}
    `.execute(this.em.getKysely());
    return rows;
  }
}
