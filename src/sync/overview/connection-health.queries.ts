import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import type { Connection } from '../../connections/connection.entity.js';
import { addDays, dateInTimeZone } from '../../time/calendar-date.js';
import { Clock } from '../../time/clock.js';
import { FRESH_DAYS } from './connection-freshness.js';

const OUT_OF_DATE_MS = 2 * 86_400_000;

/** A connection whose syncs fail or are out of date. */
export interface UnhealthyConnection {
  id: string;
  name: string;
  /** Whether a person must act first. */
  needsPerson: boolean;
  /** `null`: never. */
  lastSyncedAt: string | null;
}

export interface ConnectionHealth {
  /** Oldest first. A connection whose first sync is under way is healthy. */
  unhealthy: UnhealthyConnection[];
  /**
   * Whether a page must read the connections to show their problems: one needs a person, its newest sync was not
   * complete, or some account may be out of date.
   */
  hasTrouble: boolean;
}

interface Found {
  id: string;
  name: string;
  status: Connection['status'];
  last_synced_at: string | null;
  is_unhealthy: boolean;
  has_trouble: boolean;
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
        select c.id, c.name, c.status, c.last_synced_at, c.created_at,
          c.status = 'attention_required' or newest.status is not distinct from 'failed'
            or coalesce(c.last_synced_at < ${outOfDate}, false) as is_unhealthy,
          coalesce(
            c.status = 'attention_required' or newest.status in ('partial', 'failed')
            or newest.status = 'succeeded' and (
              c.last_synced_at < ${outOfDate} or exists (
                select 1 from accounts a
                where a.user_id = ${userId} and a.connection_id = c.id and a.status = 'active'
                  and a.currency is not null and a.closed_on is null
                  and coalesce(a.complete_until, a.created_at::date) < ${lagging}
              )
            ), false
          ) as has_trouble
        from connections c
        left join lateral (
          select r.status from sync_runs r
          where r.user_id = ${userId} and r.connection_id = c.id and r.status in ('succeeded', 'partial', 'failed')
            and r.trigger <> 'rebuild'
          order by r.queued_at desc limit 1
        ) newest on true
        where c.user_id = ${userId}
      ) health
      where is_unhealthy or has_trouble
      order by created_at, id
    `.execute(this.em.getKysely());
    return {
      unhealthy: rows.filter((row) => row.is_unhealthy).map(toUnhealthy),
      hasTrouble: rows.some((row) => row.has_trouble),
    };
  }
}

function toUnhealthy({ id, name, status, last_synced_at: lastSyncedAt }: Found): UnhealthyConnection {
  return {
    id,
    name,
    needsPerson: status === 'attention_required',
    // The driver gives instants as text.
    lastSyncedAt: lastSyncedAt && new Date(lastSyncedAt).toISOString(),
  };
}
