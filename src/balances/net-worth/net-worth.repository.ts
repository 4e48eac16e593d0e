import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { type RawBuilder, sql } from 'kysely';
import { IS_LISTED, suggestMerges } from '../../accounts/duplicates/merge-suggestions.js';
import type { CalendarDate } from '../../time/calendar-date.js';
import type { DaySums } from './net-worth.js';

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
  /** Whether the provider lists it now. */
  isListed: boolean;
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

/** The days of which the sums of one currency are wanted. */
interface WantedSums {
  currency: string;
  dates: readonly CalendarDate[];
  leftOut: readonly LeftOut[];
}

/** The days on which an account is excluded from all sums. */
export interface LeftOut {
  accountId: string;
  /** From this day on; `null`: all days. */
  from: CalendarDate | null;
}

/** Raw, since sums are made of arrays of days, and the entity of connections is in a higher room. */
@Injectable()
export class NetWorthRepository {
  constructor(private readonly em: EntityManager) {}

  async accounts(userId: string, ids?: readonly string[]): Promise<AccountHistory[]> {
    const { rows } = await sql<AccountHistory>`
      select a.id, a.name, coalesce(s.currency, a.currency) as currency,
        coalesce(s.currency = a.currency, true) as "isCurrent",
        a.status = 'active' and a.connection_id is not null and a.closed_on is null
          and coalesce(s.currency = a.currency, true) as "isFollowed",
        ${IS_LISTED} as "isListed",
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
      left join connections c on c.user_id = ${userId} and c.id = a.connection_id
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

  /**
   * In one statement for all currencies. JSON is read much faster than a row for each day.
   *
   * @param only these accounts; `null`: all
   */
  async sums(
    userId: string,
    wanted: readonly WantedSums[],
    only: readonly string[] | null,
  ): Promise<Map<string, DaySums>> {
    const currencies = wanted.map(({ currency }) => currency);
    const dates = wanted.map(({ dates }) => `{${dates.join()}}`);
    const { rows } = await sql<{ currency: string; factor: 1 | -1; sums: Record<CalendarDate, number> }>`
      select wanted.currency, of_factor.factor, of_factor.sums
      from unnest(${currencies}::text[], ${dates}::text[]) as wanted (currency, dates)
      cross join lateral (
        select factor, json_object_agg(date, sum) as sums from (
          select b.flows_factor as factor, b.date, sum(b.end_cash + b.end_non_cash) as sum
          from balances b
          where b.user_id = ${userId} and b.currency = wanted.currency and b.date = any(wanted.dates::date[])
            and ${isAmong(sql`b.account_id`, only)} and not ${isLeftOut(wanted)}
          group by b.flows_factor, b.date
        ) of_day
        group by factor
      ) of_factor
    `.execute(this.em.getKysely());
    const byCurrency = Map.groupBy(rows, ({ currency }) => currency);
    return new Map(
      [...byCurrency].map(([currency, rows]) => [
        currency,
        Object.fromEntries(rows.map((row) => [row.factor, row.sums])),
      ]),
    );
  }
}

function isLeftOut(wanted: readonly WantedSums[]): RawBuilder<unknown> {
  const all = wanted.flatMap(({ currency, leftOut }) => leftOut.map((one) => ({ currency, ...one })));
  if (all.length === 0) return sql`false`;
  const [currencies, ids] = [all.map(({ currency }) => currency), all.map(({ accountId }) => accountId)];
  const days = all.map(({ from }) => from ?? '-infinity');
  return sql`exists (
    select 1 from unnest(${currencies}::text[], ${ids}::uuid[], ${days}::date[]) as left_out (currency, account_id, day)
    where left_out.currency = b.currency and left_out.account_id = b.account_id and b.date >= left_out.day
  )`;
}

function isAmong(column: RawBuilder<unknown>, ids: readonly string[] | null | undefined): RawBuilder<unknown> {
  return ids ? sql`${column} = any(${[...ids]}::uuid[])` : sql`true`;
}
