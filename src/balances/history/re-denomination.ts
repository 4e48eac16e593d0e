import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Account } from '../../accounts/account.entity.js';
import type { CalendarDate } from '../../time/calendar-date.js';

/** The account was reported in another currency before. That history has ended, and its rows stay as they are. */
interface ReDenomination {
  /** The day of the first report in the present currency; `null`: there is none yet. */
  firstDay: CalendarDate | null;
}

/** @returns `null` when the account was never reported in another currency */
export async function findReDenomination(
  em: EntityManager,
  { userId, id, currency }: Account,
): Promise<ReDenomination | null> {
  const { rows } = await sql<ReDenomination>`
    select (
      select min(day) from reports o
      where o.user_id = ${userId} and o.account_id = ${id} and o.currency = ${currency} and o.observed_at > before.at
    )::text as "firstDay"
    from (
      select max(observed_at) as at from reports
      where user_id = ${userId} and account_id = ${id} and currency <> ${currency}
    ) before
    where before.at is not null
  `.execute(em.getKysely());
  return rows[0] ?? null;
}
