import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { type Account, isFollowed } from '../../accounts/account.entity.js';
import type { CalendarDate } from '../../time/calendar-date.js';

/**
 * The last day of an account's history: today while the account is synced. The balance of any other account is unknown
 * after its last day.
 *
 * @param today in the person's timezone
 */
export async function lastDayOf(em: EntityManager, account: Account, today: CalendarDate): Promise<CalendarDate> {
  if (isFollowed(account)) return today;
  const { userId, id } = account;
  const { rows } = await sql<{ day: CalendarDate | null }>`
    select greatest(
      (select max(last_date) from balance_spans where user_id = ${userId} and account_id = ${id}),
      (select max(day) from observations where user_id = ${userId} and account_id = ${id})
    )::text as day
  `.execute(em.getKysely());
  return rows[0]?.day ?? today;
}
