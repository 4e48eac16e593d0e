import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Account } from '../../accounts/account.entity.js';
import type { CalendarDate } from '../../time/calendar-date.js';

/**
 * Whether the stored history of an account ends on a day, or with the account. Then it is current unless facts changed.
 */
export async function historyReaches(em: EntityManager, account: Account, day: CalendarDate): Promise<boolean> {
  const { closedOn } = account;
  const lastDay = closedOn !== null && closedOn < day ? closedOn : day;
  const { rows } = await sql`
    select from balance_spans
    where user_id = ${account.userId} and account_id = ${account.id} and last_date = ${lastDay}
  `.execute(em.getKysely());
  return rows.length > 0;
}
