import { EntityRepository, type InferClassEntityDB } from '@mikro-orm/postgresql';
import { reader } from '../../database/reader.js';
import { sql } from 'kysely';
import { addDays, type CalendarDate } from '../../platform/time/calendar-date.js';
import type { Balance } from './balance.entity.js';
import { UncertainDays } from './uncertain-days.entity.js';

/** What moves between the cash and the securities of one account neither comes in nor goes out. Of balances `b`. */
const WITHIN = 'least(b.cash_outflows, b.non_cash_inflows) + least(b.cash_inflows, b.non_cash_outflows)';
export const MONEY_IN_SQL = `sum(b.cash_inflows + b.non_cash_inflows - (${WITHIN}))::float8`;
export const MONEY_OUT_SQL = `sum(b.cash_outflows + b.non_cash_outflows - (${WITHIN}))::float8`;

/** An account's daily balances from `firstDay` on, and what changed them, in minor units. */
export interface AccountSeries {
  firstDay: CalendarDate;
  /** At the start of that day. */
  startMinor: number;
  balances: readonly number[];
  /** Changes that no transaction explains, day by day. */
  adjustments: readonly number[];
  marketMinor: number;
  /** All that came into the account and all that went out of it, not negative. */
  moneyInMinor: number;
  moneyOutMinor: number;
}

/** What changes a balance. */
const MOVEMENTS = [
  'cash_inflows',
  'cash_outflows',
  'non_cash_inflows',
  'non_cash_outflows',
  'net_market_flows',
  'cash_adjustments',
  'non_cash_adjustments',
] as const;

/** Balances. Reads the history of one account for a chart, as columns of numbers instead of thousands of records. */
export class AccountSeriesRepository extends EntityRepository<Balance> {
  /**
   * In the currency of the newest record, and of its time alone: a re-denominated account has another history before, which
   * may be in that currency again. Raw, for ordered arrays of sums.
   *
   * @param first day; `null`: of the history
   * @param last day; `null`: of the history
   * @returns `null` when there are no records of these days
   */
  async findSeries(
    userId: string,
    accountId: string,
    first: CalendarDate | null,
    last: CalendarDate | null,
  ): Promise<AccountSeries | null> {
    const { rows } = await sql<{ [Key in keyof AccountSeries]: AccountSeries[Key] | null }>`
      select min(date)::text as "firstDay",
        ((array_agg(start_cash + start_non_cash order by date))[1])::float8 as "startMinor",
        json_agg(end_cash + end_non_cash order by date) as balances,
        json_agg(cash_adjustments + non_cash_adjustments order by date) as adjustments,
        sum(net_market_flows)::float8 as "marketMinor",
        ${sql.raw(MONEY_IN_SQL)} as "moneyInMinor", ${sql.raw(MONEY_OUT_SQL)} as "moneyOutMinor"
      from balances b
      where user_id = ${userId} and account_id = ${accountId} and date >= coalesce(${first}::date, '-infinity')
        and date <= coalesce(${last}::date, 'infinity')
        and date > coalesce((
          select last_date from balance_spans where user_id = ${userId} and account_id = ${accountId}
          order by last_date desc limit 1 offset 1
        ), '-infinity')
    `.execute(this.em.getKysely());
    const [row] = rows;
    return row?.firstDay ? (row as AccountSeries) : null;
  }

  /** The newest day with a change; `null`: there is none. */
  async lastMovement(userId: string, accountId: string): Promise<CalendarDate | null> {
    const newest = await this.em
      .getKysely<InferClassEntityDB<typeof Balance>>()
      .selectFrom('balances')
      .select('date')
      .where('user_id', '=', userId)
      .where('account_id', '=', accountId)
      .where((eb) => eb.or(MOVEMENTS.map((column) => eb(column, '!=', 0))))
      .orderBy('date', 'desc')
      .limit(1)
      .executeTakeFirst();
    return newest?.date ?? null;
  }

  /** The day of the last report, where nothing was reported of the days between it and a day. */
  async silentSince(userId: string, accountId: string, day: CalendarDate): Promise<CalendarDate | null> {
    const silent = await this.em
      .getKysely<InferClassEntityDB<typeof UncertainDays>>()
      .selectFrom('uncertain_days')
      .select('start_date')
      .where('user_id', '=', userId)
      .where('account_id', '=', accountId)
      .where('level', '=', 'unknown')
      .where('end_date', '=', addDays(day, -1))
      .executeTakeFirst();
    return silent ? addDays(silent.start_date, -1) : null;
  }

  /** The uncertain days among them, oldest first. */
  uncertainDays(userId: string, accountId: string): Promise<UncertainDays[]> {
    return reader(this.em).find(UncertainDays, { userId, accountId }, { orderBy: { startDate: 'asc' } });
  }
}
