import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { CalendarDate } from '../time/calendar-date.js';
import type { Connection } from './connection.entity.js';

/**
 * Up to which day each account's transactions are settled, by external id: without a gap and without a hold that is
 * still open, since only an answer that reaches back to a hold can tell what became of it.
 */
export async function completeUntilByAccount(
  em: EntityManager,
  { userId, id }: Connection,
): Promise<Map<string, CalendarDate>> {
  const { rows } = await sql<{ external_id: string; day: CalendarDate }>`
    select a.external_id, least(a.complete_until, min(t.date))::text as day
    from accounts a
    left join transactions t on t.user_id = a.user_id and t.account_id = a.id and t.pending
    where a.user_id = ${userId} and a.connection_id = ${id} and a.complete_until is not null
    group by a.user_id, a.id
  `.execute(em.getKysely());
  return new Map(rows.map(({ external_id, day }) => [external_id, day]));
}
