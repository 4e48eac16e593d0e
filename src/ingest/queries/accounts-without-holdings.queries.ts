import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { CalendarDate } from '../../time/calendar-date.js';
import type { Connection } from '../../connections/connection.entity.js';

/** The external ids of accounts without holdings, as the provider said. They need no request for holdings today. */
export async function listAccountsWithoutHoldings(
  em: EntityManager,
  { userId, id }: Connection,
  today: CalendarDate,
): Promise<Set<string>> {
  const { rows } = await sql<{ external_id: string }>`
    select external_id from accounts
    where user_id = ${userId} and connection_id = ${id} and holdings_retry_on > ${today}
  `.execute(em.getKysely());
  return new Set(rows.map(({ external_id }) => external_id));
}
