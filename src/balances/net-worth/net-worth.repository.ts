import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import type { CalendarDate } from '../../time/calendar-date.js';
import type { DaySum } from './net-worth.js';

/**
 * An account with the days that its records span and its last balance; `null` everywhere when it has none. An account that
 * was re-denominated has one for each currency.
 */
export interface AccountHistory {
  id: string;
  name: string;
  currency: string | null;
  /** Whether this is its history in its present currency. */
  isCurrent: boolean;
  isFollowed: boolean;
  firstDate: CalendarDate | null;
  lastDate: CalendarDate | null;
  factor: 1 | -1 | null;
  balance: number | null;
}

@Injectable()
export class NetWorthRepository {
  constructor(private readonly em: EntityManager) {}

  async accounts(userId: string): Promise<AccountHistory[]> {
    const { rows } = await sql<AccountHistory>`
      select a.id, a.name, coalesce(s.currency, a.currency) as currency,
        coalesce(s.currency = a.currency, true) as "isCurrent",
        a.status = 'active' and a.connection_id is not null and coalesce(s.currency = a.currency, true) as "isFollowed",
        s.first_date::text as "firstDate", s.last_date::text as "lastDate",
        b.flows_factor as factor, (b.end_cash + b.end_non_cash)::float8 as balance
      from accounts a
      left join balance_spans s on s.user_id = a.user_id and s.account_id = a.id
      left join balances b on b.user_id = a.user_id and b.account_id = a.id and b.date = s.last_date
      where a.user_id = ${userId} order by a.name, a.id, s.last_date
    `.execute(this.em.getKysely());
    return rows;
  }

  async sums(userId: string, currency: string, dates: readonly CalendarDate[]): Promise<DaySum[]> {
    const { rows } = await sql<DaySum>`
      select date::text as date, flows_factor as factor, sum(end_cash + end_non_cash)::float8 as sum
      from balances
      where user_id = ${userId} and currency = ${currency} and date = any(${[...dates]}::date[])
      group by date, flows_factor
    `.execute(this.em.getKysely());
    return rows;
  }
}
