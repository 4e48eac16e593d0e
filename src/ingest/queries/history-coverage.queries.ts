import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { BankSnapshot, KnownPart, SnapshotAccount } from '../../bank-provider/bank-provider.js';
import { addDays, type CalendarDate, dateInTimeZone } from '../../time/calendar-date.js';
import type { Connection } from '../../connections/connection.entity.js';

const DAY_MS = 86_400_000;
/** Most banks deliver old transactions within days of the first ones. No answer says whether more will follow. */
const DAILY_BACKFILL_MS = 3 * DAY_MS;
/** Some banks need weeks. */
const WEEKLY_BACKFILL_MS = 61 * DAY_MS;
/** No more often, because a whole history takes many of the few requests that a provider allows. */
const DAILY_MS = DAY_MS;
/** A day less than a week, so that the sync after it still lies within the week. */
const WEEKLY_MS = 6 * DAY_MS;
/** The longest that a bank holds an amount, however short a history is wanted. */
const MAX_HOLD_DAYS = 61;
/** A bank that has delivered rows of the oldest tenth of what is wanted has delivered it all. */
const OLDEST_PART = 0.1;

interface CoverageContext {
  now: Date;
  /** Whether a person asks: they may have fixed at the bank what kept an account from being complete. */
  byPerson: boolean;
}

/** Until which day the transactions of accounts are settled, by external id. */
export interface SyncCoverage {
  /** The accounts of which only what is new is requested. */
  completeUntil: Map<string, CalendarDate>;
  /** What is known of the accounts that were never complete and of which the whole history is requested. */
  partlyKnown: Map<string, KnownPart>;
  /** The accounts that were complete and of which the whole history is requested all the same. */
  backfilled: Map<string, CalendarDate>;
}

/**
 * Reads until which day the transactions of each account are settled: without a gap and without an open pending
 * transaction, because only an answer that reaches back to it shows what became of it. One older than two months and
 * the history that is wanted does not count: a bank that dates it wrongly would be asked for all days since.
 *
 * The whole history is requested
 * - of a new account;
 * - of a complete account daily for three days and then weekly for two months, unless its bank has delivered all that
 *   is wanted;
 * - of an account that was never complete daily, and whenever a person asks, from where it stopped. In between it
 *   counts as settled until the day of the last request.
 *
 * Raw, because the days are compared, cast and read as text.
 */
export async function historyCoverage(
  em: EntityManager,
  { userId, id, historyDays }: Connection,
  { now, byPerson }: CoverageContext,
): Promise<SyncCoverage> {
  const before = (ms: number) => new Date(now.getTime() - ms);
  const isDaily = sql`a.complete_until is null or a.created_at > ${before(DAILY_BACKFILL_MS)}`;
  const dueBefore = sql`case when ${isDaily} then ${before(DAILY_MS)}::timestamptz else ${before(WEEKLY_MS)} end`;
  const isPast = sql`a.created_at <= ${before(WEEKLY_BACKFILL_MS)}`;
  const today = dateInTimeZone(now, 'UTC');
  const oldestHold = addDays(today, -Math.max(historyDays, MAX_HOLD_DAYS));
  const deliveredFrom = addDays(today, -Math.ceil(historyDays * (1 - OLDEST_PART)));
  const { rows } = await sql<KnownRow>`
    select a.external_id, a.complete_until is not null as was_complete,
      least(coalesce(a.complete_until, (a.history_asked_at at time zone 'UTC')::date), min(t.date))::text as day,
      a.known_from::text as known_from, least(a.known_until, min(t.date))::text as known_until,
      coalesce(a.history_asked_at > ${dueBefore}, false) and (a.complete_until is not null or not ${byPerson})
        or a.complete_until is not null and (${isPast} or exists (
          select 1 from transactions o
          where o.user_id = ${userId} and o.account_id = a.id and o.date <= ${deliveredFrom})) as is_known
    from accounts a
    left join transactions t on t.user_id = ${userId} and t.account_id = a.id and t.pending and t.date >= ${oldestHold}
    where a.user_id = ${userId} and a.connection_id = ${id}
    group by a.user_id, a.id
  `.execute(em.getKysely());
  const days = (which: (row: KnownRow) => boolean) =>
    new Map(rows.filter(which).map(({ external_id, day }) => [external_id, day]));
  return {
    completeUntil: days(({ is_known }) => is_known),
    partlyKnown: new Map(rows.filter((row) => !row.is_known && !row.was_complete).flatMap(partOf)),
    backfilled: days(({ is_known, was_complete }) => was_complete && !is_known),
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

/** Empty when an open pending transaction is older than the known part. */
function partOf({ external_id, known_from: from, known_until: until }: KnownRow): [string, KnownPart][] {
  return from !== null && until !== null && from < until ? [[external_id, { from, until }]] : [];
}

type DaysById = ReadonlyMap<string, CalendarDate>;

/**
 * Completes the answer of a backfill. An answer that reaches back to the stored history is complete, even if the requests
 * ran out before its beginning.
 *
 * @param knownUntil by external id: the day up to which the account was complete
 */
export function completeWithKnownHistory(account: SnapshotAccount, knownUntil: DaysById): SnapshotAccount {
  const { externalId, coveredFrom } = account;
  const known = knownUntil.get(externalId);
  const reachesBack = known !== undefined && coveredFrom !== null && coveredFrom <= known;
  return reachesBack ? { ...account, complete: true } : account;
}

/** The same for all accounts. If all are complete, a rate limit is no problem. */
export function completeAllWithKnownHistory(snapshot: BankSnapshot, knownUntil: DaysById): BankSnapshot {
  const accounts = snapshot.accounts.map((account) => completeWithKnownHistory(account, knownUntil));
  const isWhole = accounts.every(({ complete }) => complete);
  const problems = snapshot.problems.filter(
    ({ kind, accountExternalId }) => !isWhole || kind !== 'rate_limited' || accountExternalId !== undefined,
  );
  return { ...snapshot, accounts, problems };
}
