import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { type RawBuilder, sql } from 'kysely';
import { suggestMerges } from '../../accounts/duplicates/merge-suggestions.js';
import type { CalendarDate } from '../../time/calendar-date.js';
import type { DaySum } from './net-worth.js';

/**
 * An account with the range of its records and its last balance; all `null` without records. A re-denominated account
 * has one row for each currency.
 */
export interface AccountHistory {
  id: string;
  name: string;
  currency: string | null;
  /** Whether this history is in the account's present currency. */
  isCurrent: boolean;
  isFollowed: boolean;
  /** `false`: the person excluded it. */
  isIncluded: boolean;
  /** The day on which the person closed it. */
  closedOn: CalendarDate | null;
  firstDate: CalendarDate | null;
  lastDate: CalendarDate | null;
  factor: 1 | -1 | null;
  balance: number | null;
  /** Ranges of uncertain days, each with its first and last day. */
  uncertain: readonly (readonly [from: CalendarDate, until: CalendarDate])[];
}

/** Two possible duplicates. */
export interface PossibleDuplicate {
  disconnectedId: string;
  replacementId: string;
}

/** The days on which an account is excluded from all sums. */
export interface LeftOut {
  accountId: string;
  /** From this day on; `null`: all days. */
  from: CalendarDate | null;
}

@Injectable()
export class NetWorthRepository {
  constructor(private readonly em: EntityManager) {}

  async accounts(userId: string, ids?: readonly string[]): Promise<AccountHistory[]> {
    const { rows } = await sql<AccountHistory>`
      select a.id, a.name, coalesce(s.currency, a.currency) as currency,
        coalesce(s.currency = a.currency, true) as "isCurrent",
        a.status = 'active' and a.connection_id is not null and a.closed_on is null
          and coalesce(s.currency = a.currency, true) as "isFollowed",
        a.include_in_net_worth as "isIncluded", a.closed_on::text as "closedOn",
        s.first_date::text as "firstDate", s.last_date::text as "lastDate",
        b.flows_factor as factor, (b.end_cash + b.end_non_cash)::float8 as balance,
        (
          select coalesce(json_agg(json_build_array(u.start_date, u.end_date) order by u.start_date), '[]')
          from uncertain_days u
          where u.user_id = ${userId} and u.account_id = a.id
            and u.start_date between s.first_date and s.last_date
        ) as uncertain
      from accounts a
      left join balance_spans s on s.user_id = ${userId} and s.account_id = a.id
      left join balances b on b.user_id = ${userId} and b.account_id = a.id and b.date = s.last_date
      where a.user_id = ${userId} and ${isAmong(sql`a.id`, ids)} order by a.name, a.id, s.last_date
    `.execute(this.em.getKysely());
    return rows;
  }

  /** Pairs that the person has not decided about. */
  async possibleDuplicates(userId: string): Promise<PossibleDuplicate[]> {
    const suggestions = await suggestMerges(this.em, userId);
    return suggestions.map(({ disconnected, replacement }) => ({
      disconnectedId: disconnected.id,
      replacementId: replacement.id,
    }));
  }

  async sums(
    userId: string,
    currency: string,
    dates: readonly CalendarDate[],
    { only, leftOut }: { only: readonly string[] | null; leftOut: readonly LeftOut[] },
  ): Promise<DaySum[]> {
    const ids = leftOut.map(({ accountId }) => accountId);
    const days = leftOut.map(({ from }) => from ?? '-infinity');
    const isLeftOut =
      leftOut.length === 0
        ? sql`false`
        : sql`exists (
            select 1 from unnest(${ids}::uuid[], ${days}::date[]) as left_out (account_id, day)
            where left_out.account_id = b.account_id and b.date >= left_out.day
          )`;
    const { rows } = await sql<DaySum>`
      select date::text as date, flows_factor as factor, sum(end_cash + end_non_cash)::float8 as sum
      from balances b
      where user_id = ${userId} and currency = ${currency} and date = any(${[...dates]}::date[])
        and ${isAmong(sql`account_id`, only)} and not ${isLeftOut}
      group by date, flows_factor
    `.execute(this.em.getKysely());
    return rows;
  }
}

function isAmong(column: RawBuilder<unknown>, ids: readonly string[] | null | undefined): RawBuilder<unknown> {
  return ids ? sql`${column} = any(${[...ids]}::uuid[])` : sql`true`;
}
