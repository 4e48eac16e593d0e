import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { addDays, dateInTimeZone, DAY_MS } from '../../platform/time/calendar-date.js';
import { Clock } from '../../platform/time/clock.js';
import type { Connection } from '../connections/connection.entity.js';
import type { SyncProblemKind } from '../sync-run.entity.js';
import { FRESH_DAYS } from './connection-freshness.js';

const OUT_OF_DATE_MS = 2 * DAY_MS;
/** So long before the consent at a bank ends, a person is asked to renew it. */
const RENEWED_BEFORE_MS = 14 * DAY_MS;

/** Whether the consent of a connection that works ends soon. */
export function endsSoon({ status, accessUntil }: Pick<Connection, 'status' | 'accessUntil'>, now: Date): boolean {
  return status === 'active' && accessUntil !== null && accessUntil.getTime() - now.getTime() < RENEWED_BEFORE_MS;
}

/** What leaves accounts without news until the bank, the provider or a person does something. */
const STUCK: readonly SyncProblemKind[] = ['account_failed', 'data_incomplete', 'network', 'unexpected_reply'];

/** A connection whose syncs fail or are out of date, or bring nothing of some accounts. */
export interface UnhealthyConnection {
  id: string;
  name: string;
  /** Whether a person must act first. */
  needsPerson: boolean;
  /** Whether its syncs work, and bring nothing of some accounts. */
  isPartial: boolean;
  /** `null`: never. */
  lastSyncedAt: string | null;
}

export interface ConnectionHealth {
  /** All connections of the person. */
  count: number;
  /** How many of them are synced for the first time. */
  newCount: number;
  /** `null`: none is planned. */
  nextSyncAt: Date | null;
  /** Oldest first. A connection whose first sync is under way is healthy. */
  unhealthy: UnhealthyConnection[];
  /** Those that bring nothing after a moment soon, unless a person signs in at the bank again. */
  ending: { id: string; name: string; until: Date }[];
  /**
   * Whether a page must read the connections to show their problems: one needs a person, its newest sync was not
   * complete, or some account may be out of date.
   */
  hasTrouble: boolean;
}

interface Found extends UnhealthyConnection {
  nextSyncAt: string | null;
  status: Connection['status'];
  accessUntil: string | null;
  isNew: boolean;
  isUnhealthy: boolean;
  hasTrouble: boolean;
}

/** The health of a person's connections, which every page shows. Raw, for its conditions. */
@Injectable()
export class ConnectionHealthQueries {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  async read(userId: string): Promise<ConnectionHealth> {
    const now = this.clock.now();
    const outOfDate = new Date(now.getTime() - OUT_OF_DATE_MS);
    // One day less than an account may lag behind, so that none is missed.
    const lagging = addDays(dateInTimeZone(now, 'UTC'), 1 - FRESH_DAYS);
    const { rows } = await sql<Found>`
      select id, name, status, "lastSyncedAt", "nextSyncAt", "accessUntil", "needsPerson", "isPartial", "hasTrouble",
        "lastSyncedAt" is null and "endedAs" is null as "isNew",
        "needsPerson" or "isPartial" or "endedAs" is not distinct from 'failed'
          or coalesce("lastSyncedAt" < ${outOfDate}, false) as "isUnhealthy"
      from (
        select c.id, c.name, c.created_at, c.last_synced_at as "lastSyncedAt", c.next_sync_at as "nextSyncAt",
          c.status, c.access_until as "accessUntil",
          newest.status as "endedAs", c.status = 'attention_required' as "needsPerson",
          coalesce(newest.status = 'partial' and exists (
            select 1 from jsonb_array_elements(newest.problems) problem where problem ->> 'kind' = any(${[...STUCK]})
          ), false) as "isPartial",
          coalesce(
            c.status = 'attention_required' or newest.status in ('partial', 'failed')
            or newest.status = 'succeeded' and (
              c.last_synced_at < ${outOfDate} or exists (
                select 1 from accounts a
                where a.user_id = ${userId} and a.connection_id = c.id and a.status = 'active'
                  and a.currency is not null and a.closed_on is null
                  and coalesce((select upper(d) from unnest(a.covered) d where lower_inf(d)), (a.created_at at time zone 'UTC')::date) < ${lagging}
              )
            ), false
          ) as "hasTrouble"
        from connections c
        left join lateral (
          select r.status, r.problems from sync_runs r
          where r.user_id = ${userId} and r.connection_id = c.id and r.status in ('succeeded', 'partial', 'failed')
          order by r.queued_at desc limit 1
        ) newest on true
        where c.user_id = ${userId}
      ) health
      order by created_at, id
    `.execute(this.em.getKysely());
    const planned = rows.flatMap(({ nextSyncAt, needsPerson }) => (nextSyncAt && !needsPerson ? nextSyncAt : []));
    return {
      count: rows.length,
      newCount: rows.filter(({ isNew }) => isNew).length,
      nextSyncAt: planned.map((at) => new Date(at)).sort((a, b) => a.getTime() - b.getTime())[0] ?? null,
      ending: rows.flatMap(({ id, name, status, accessUntil }) => {
        const until = accessUntil && new Date(accessUntil);
        return until && endsSoon({ status, accessUntil: until }, now) ? [{ id, name, until }] : [];
      }),
      unhealthy: rows.filter(({ isUnhealthy }) => isUnhealthy).map(toUnhealthy),
      hasTrouble: rows.some(({ hasTrouble }) => hasTrouble),
    };
  }
}

/** The driver gives instants in a form of its own. */
function toUnhealthy({ id, name, needsPerson, isPartial, lastSyncedAt }: Found): UnhealthyConnection {
  return { id, name, needsPerson, isPartial, lastSyncedAt: lastSyncedAt && new Date(lastSyncedAt).toISOString() };
}
