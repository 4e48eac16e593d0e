import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { KnownPart } from '../../bank-provider/bank-provider.js';
import { addDays, type CalendarDate, dateInTimeZone } from '../../time/calendar-date.js';
import type { Connection } from '../../connections/connection.entity.js';

/** Banks deliver old transactions hours and days after the first ones, and no answer says that more will come. */
const YOUNG_MS = 3 * 86_400_000;
/** A whole history costs many requests of few. */
const WHOLE_HISTORY_EVERY_MS = 86_400_000;
/** A bank that has delivered rows of the oldest tenth of what is wanted has delivered it all. */
const OLDEST_PART = 0.1;

export interface Asking {
  now: Date;
  /** A person may have mended at the bank what kept an account from being complete. */
  byPerson: boolean;
}

/** Days up to which accounts' transactions are settled, by external id. */
export interface HistoryCoverage {
  /** Of the accounts that are asked only for what is new. */
  completeUntil: Map<string, CalendarDate>;
  /** Of the others that were never complete, what is known of them. */
  partlyKnown: Map<string, KnownPart>;
  /** Of those that are asked for their whole history although it was complete. */
  askedAgain: Map<string, CalendarDate>;
}

/**
 * Up to which day each account's transactions are settled: without a gap and without a hold that is still open, since
 * only an answer that reaches back to a hold can tell what became of it.
 *
 * Asked for its whole history is a new account; once a day one that is young, unless its bank has delivered all that is
 * wanted, or was never complete; and the latter whenever a person asks, from where it stopped. In between, one that was
 * never complete has the day of asking.
 */
export async function historyCoverage(
  em: EntityManager,
  { userId, id, historyDays }: Connection,
  { now, byPerson }: Asking,
): Promise<HistoryCoverage> {
  const youngSince = new Date(now.getTime() - YOUNG_MS);
  const askedBefore = new Date(now.getTime() - WHOLE_HISTORY_EVERY_MS);
  const deliveredFrom = addDays(dateInTimeZone(now, 'UTC'), -Math.ceil(historyDays * (1 - OLDEST_PART)));
  const { rows } = await sql<KnownRow>`
    select a.external_id, a.complete_until is not null as was_complete,
      least(coalesce(a.complete_until, (a.history_asked_at at time zone 'UTC')::date), min(t.date))::text as day,
      a.known_from::text as known_from, least(a.known_until, min(t.date))::text as known_until,
      coalesce(a.history_asked_at > ${askedBefore}, false) and (a.complete_until is not null or not ${byPerson})
        or a.complete_until is not null and (a.created_at <= ${youngSince} or exists (
          select from transactions o
          where o.user_id = a.user_id and o.account_id = a.id and o.date <= ${deliveredFrom})) as is_known
    from accounts a
    left join transactions t on t.user_id = a.user_id and t.account_id = a.id and t.pending
    where a.user_id = ${userId} and a.connection_id = ${id}
    group by a.user_id, a.id
  `.execute(em.getKysely());
  const days = (which: (row: KnownRow) => boolean) =>
    new Map(rows.filter(which).map(({ external_id, day }) => [external_id, day]));
  return {
    completeUntil: days(({ is_known }) => is_known),
    partlyKnown: new Map(rows.filter((row) => !row.is_known && !row.was_complete).flatMap(partOf)),
    askedAgain: days(({ is_known, was_complete }) => was_complete && !is_known),
  };
}

interface KnownRow {
  external_id: string;
  day: CalendarDate;
  known_from: CalendarDate | null;
  known_until: CalendarDate | null;
  was_complete: boolean;
  is_known: boolean;
}

/** None where an open hold is older than all of it. */
function partOf({ external_id, known_from: from, known_until: until }: KnownRow): [string, KnownPart][] {
  return from !== null && until !== null && from < until ? [[external_id, { from, until }]] : [];
}
