import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { CalendarDate } from '../time/calendar-date.js';
import type { Connection } from './connection.entity.js';

/** Banks deliver old transactions hours and days after the first ones, and no answer says that more will come. */
const YOUNG_MS = 3 * 86_400_000;
/** A whole history costs many requests of few. */
const WHOLE_HISTORY_EVERY_MS = 86_400_000;

export interface Asking {
  now: Date;
  /** A person may have mended at the bank what kept an account from being complete. */
  byPerson: boolean;
}

/**
 * Up to which day each account's transactions are settled, by external id: without a gap and without a hold that is
 * still open, since only an answer that reaches back to a hold can tell what became of it.
 *
 * An account without a day is asked for its whole history: a new one; once a day one that is young or was never
 * complete; and the latter whenever a person asks. In between, one that was never complete has the day of asking.
 */
export async function completeUntilByAccount(
  em: EntityManager,
  { userId, id }: Connection,
  { now, byPerson }: Asking,
): Promise<Map<string, CalendarDate>> {
  const youngSince = new Date(now.getTime() - YOUNG_MS);
  const askedBefore = new Date(now.getTime() - WHOLE_HISTORY_EVERY_MS);
  const { rows } = await sql<{ external_id: string; day: CalendarDate }>`
    select a.external_id,
      least(coalesce(a.complete_until, (a.history_asked_at at time zone 'UTC')::date), min(t.date))::text as day
    from accounts a
    left join transactions t on t.user_id = a.user_id and t.account_id = a.id and t.pending
    where a.user_id = ${userId} and a.connection_id = ${id} and (
      (a.history_asked_at > ${askedBefore} and (a.complete_until is not null or not ${byPerson}))
      or (a.complete_until is not null and a.created_at <= ${youngSince})
    )
    group by a.user_id, a.id
  `.execute(em.getKysely());
  return new Map(rows.map(({ external_id, day }) => [external_id, day]));
}
