import type { EntityManager } from '@mikro-orm/postgresql';
import { type RawBuilder, sql } from 'kysely';
import { Account } from '../accounts/account.entity.js';
import { BalanceReport } from '../accounts/balance-report.entity.js';
import { Holding } from '../accounts/holdings/holding.entity.js';
import { noteChanges } from '../change-log/note-changes.js';
import { everythingOf } from '../change-log/change.js';
import type { Connection } from '../connections/connection.entity.js';
import { dateInTimeZone } from '../time/calendar-date.js';
import { CLOCK_TOLERANCE_MS } from '../time/clock.js';
import { lockAccounts, withConnectionLocked } from './connect/with-connection-locked.js';
import { LONGEST_WAIT_MS } from './runs/next-sync-at.js';

/** Divides the time between a moment and the last sync, so that moments keep their order and stay after older ones. */
const COMPRESSION = 1_000;

/** Clock skew: a sync of a later time was made by a clock that ran ahead. */
export function maxPlausibleSyncAt(now: Date): Date {
  return new Date(now.getTime() + CLOCK_TOLERANCE_MS);
}

/** The same for when the next sync is due. */
export function maxPlausibleNextSyncAt(now: Date): Date {
  return new Date(maxPlausibleSyncAt(now).getTime() + LONGEST_WAIT_MS);
}

/**
 * The latest time that a sync of a connection stored, successful, failed or cancelled, if a clock ran ahead then; else
 * `null`. Raw, for two lookups in one statement.
 */
export async function findFutureTimestamp(
  em: EntityManager,
  { userId, id, lastSyncedAt, nextSyncAt }: Connection,
  now: Date,
): Promise<Date | null> {
  const newest = (table: string, column: string) => sql`(select ${sql.ref(column)} from ${sql.table(table)}
    where user_id = ${userId} and connection_id = ${id} order by ${sql.ref(column)} desc limit 1)`;
  const { rows } = await sql<{ latest: string | null }>`
    select greatest(${newest('sync_runs', 'queued_at')}, ${newest('provider_requests', 'sent_at')},
      ${lastSyncedAt}::timestamptz) as latest
  `.execute(em.getKysely());
  const latest = new Date(rows[0]!.latest ?? 0);
  if (latest > maxPlausibleSyncAt(now)) return latest;
  return nextSyncAt !== null && nextSyncAt > maxPlausibleNextSyncAt(now) ? nextSyncAt : null;
}

/**
 * Moves what syncs of a connection stored under a clock that ran ahead to just before `now`. Reports count in the order
 * in which they were made: one that lies in the future would be the newest until its moment comes, and the days that
 * nobody has asked for yet would seem complete.
 *
 * @param last see {@link findFutureTimestamp}
 * @param now when the sync that finds it was asked for, so that it stays the newest one
 * @param timeZone IANA name, in which reports have their day
 *
 * @throws DomainError `record_not_found` when the connection was deleted meanwhile
 */
export async function clampFutureTimestamps(
  em: EntityManager,
  { userId, id }: Connection,
  last: Date,
  now: Date,
  timeZone: string,
): Promise<void> {
  const past = (moment: Date) =>
    new Date(Math.floor(now.getTime() - 1 - Math.max(0, last.getTime() - moment.getTime()) / COMPRESSION));
  await withConnectionLocked(em, { userId, id }, async (em) => {
    for (const accountId of await lockAccounts(em, { userId, id })) {
      await moveReports(em, { userId, accountId, observedAt: { $gt: now } }, past, timeZone);
      noteChanges(userId, ...everythingOf(accountId));
    }
    // Which days were complete cannot be known, so all are asked for again.
    const unknown = {
      completeUntil: null,
      completeOn: null,
      knownFrom: null,
      knownUntil: null,
      historyAskedAt: null,
      holdingsRetryOn: null,
    };
    await em.nativeUpdate(Account, { userId, connectionId: id }, unknown);
    for (const statement of statementsAbout(userId, id, now, last)) await statement.execute(em.getKysely());
    noteChanges(userId, { kind: 'connections', ids: [id] }, { kind: 'syncs' });
  });
}

interface FutureReports {
  userId: string;
  accountId: string;
  observedAt: { $gt: Date };
}

/** Inserted anew, because the moment is part of the key that holdings refer to. */
async function moveReports(
  em: EntityManager,
  future: FutureReports,
  past: (moment: Date) => Date,
  timeZone: string,
): Promise<void> {
  const reports = await em.find(BalanceReport, future, { disableIdentityMap: true });
  if (reports.length === 0) return;
  const holdings = await em.find(Holding, future, { disableIdentityMap: true });
  await em.nativeDelete(BalanceReport, future);
  const movedReports = reports.map((report) => {
    const observedAt = past(report.observedAt);
    return { ...report, observedAt, day: dateInTimeZone(observedAt, timeZone) };
  });
  await em.insertMany(BalanceReport, movedReports);
  const movedHoldings = holdings.map((holding) => ({ ...holding, observedAt: past(holding.observedAt) }));
  if (movedHoldings.length > 0) await em.insertMany(Holding, movedHoldings);
}

/** Raw, because the builder has no arithmetic of moments. */
function statementsAbout(userId: string, connectionId: string, now: Date, last: Date): RawBuilder<unknown>[] {
  const past = (column: string) => {
    const moment = sql.ref(column);
    return sql`case when ${moment} > ${now} then date_trunc('milliseconds',
      ${now}::timestamptz - interval '1 millisecond' - greatest(${last}::timestamptz - ${moment}, '0') / ${COMPRESSION}::integer)
      else ${moment} end`;
  };
  const ofAccounts = sql`user_id = ${userId}
    and account_id in (select id from accounts where user_id = ${userId} and connection_id = ${connectionId})`;
  const ofConnection = sql`user_id = ${userId} and connection_id = ${connectionId}`;
  return [
    sql`update transactions set first_seen_at = ${past('first_seen_at')}, listed_from = ${past('listed_from')},
        missing_since = ${past('missing_since')}
      where ${ofAccounts} and greatest(first_seen_at, listed_from, missing_since) > ${now}`,
    sql`update transaction_versions set first_seen_at = ${past('first_seen_at')}, listed_from = ${past('listed_from')},
        listed_until = greatest(${past('listed_from')}, ${past('listed_until')})
      where ${ofAccounts} and greatest(first_seen_at, listed_until) > ${now}`,
    sql`update provider_requests set sent_at = ${past('sent_at')} where ${ofConnection} and sent_at > ${now}`,
    sql`update sync_runs set queued_at = ${past('queued_at')}, started_at = ${past('started_at')},
        finished_at = ${past('finished_at')}
      where ${ofConnection} and greatest(queued_at, started_at, finished_at) > ${now}`,
    // A credential that is newer than the last answer is of the same moment then, which is no answer to it, either.
    sql`update connections set last_synced_at = ${past('last_synced_at')},
        credential_since = ${past('credential_since')}, next_sync_at = null
      where user_id = ${userId} and id = ${connectionId}`,
  ];
}
