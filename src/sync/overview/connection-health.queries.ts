import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { addDays, dateInTimeZone, DAY_MS } from '../../platform/time/calendar-date.js';
import { Clock } from '../../platform/time/clock.js';
import { FRESH_DAYS } from './connection-freshness.js';

const OUT_OF_DATE_MS = 2 * DAY_MS;

/** A connection whose syncs fail or are out of date. */
export interface UnhealthyConnection {
  id: string;
  name: string;
  /** Whether a person must act first. */
  needsPerson: boolean;
  /** `null`: never. */
  lastSyncedAt: string | null;
}

interface ConnectionHealth {
  /** Oldest first. A connection whose first sync is under way is healthy. */
  unhealthy: UnhealthyConnection[];
  /**
   * Whether a page must read the connections to show their problems: one needs a person, its newest sync was not
   * complete, or some account may be out of date.
   */
  hasTrouble: boolean;
}

interface Found extends UnhealthyConnection {
  isUnhealthy: boolean;
  hasTrouble: boolean;
}

/** The health of a person's connections, which every page shows: one statement, and mostly no row. Raw, for its conditions. */
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
      select * from (
        select c.id, c.name, c.created_at, c.last_synced_at as "lastSyncedAt",
          c.status = 'attention_required' as "needsPerson",
          c.status = 'attention_required' or newest.status is not distinct from 'failed'
            or coalesce(c.last_synced_at < ${outOfDate}, false) as "isUnhealthy",
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
          select r.status from sync_runs r
          where r.user_id = ${userId} and r.connection_id = c.id and r.status in ('succeeded', 'partial', 'failed')
            and r.trigger <> 'rebuild'
          order by r.queued_at desc limit 1
        ) newest on true
        where c.user_id = ${userId}
      ) health
      where "isUnhealthy" or "hasTrouble"
      order by created_at, id
    `.execute(this.em.getKysely());
    return {
      unhealthy: rows.filter(({ isUnhealthy }) => isUnhealthy).map(toUnhealthy),
      hasTrouble: rows.some(({ hasTrouble }) => hasTrouble),
    };
  }
}

/** The driver gives instants in a form of its own. */
function toUnhealthy({ id, name, needsPerson, lastSyncedAt }: Found): UnhealthyConnection {
  return { id, name, needsPerson, lastSyncedAt: lastSyncedAt && new Date(lastSyncedAt).toISOString() };
}
