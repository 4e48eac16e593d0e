import { EntityManager, type InferClassEntityDB } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import type { Connection } from '../../connections/connection.entity.js';
import { addDays, dateInTimeZone } from '../../time/calendar-date.js';
import { Clock } from '../../time/clock.js';
import { FRESH_DAYS } from './connection-freshness.js';
import type { SyncRun } from '../sync-run.entity.js';

type Tables = InferClassEntityDB<typeof Connection | typeof SyncRun>;

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

/** The unhealthy connections, which every page shows: one statement, and mostly no row. */
@Injectable()
export class ConnectionHealthQueries {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /**
   * Whether any connection may have something to say: it needs a person, its newest sync was not complete, or some
   * account may be out of date. One statement, so that what all that shows is read only then.
   */
  async hasTrouble(userId: string): Promise<boolean> {
    const now = this.clock.now();
    const outOfDate = new Date(now.getTime() - OUT_OF_DATE_MS);
    // One day less than an account may lag behind, so that none is missed.
    const lagging = addDays(dateInTimeZone(now, 'UTC'), 1 - FRESH_DAYS);
    const { rows } = await sql<{ found: boolean }>`
      select exists (
        select 1 from connections c
        left join lateral (
          select r.status from sync_runs r
          where r.user_id = ${userId} and r.connection_id = c.id and r.status in ('succeeded', 'partial', 'failed')
            and r.trigger <> 'rebuild'
          order by r.queued_at desc limit 1
        ) newest on true
        where c.user_id = ${userId} and (
          c.status = 'attention_required' or newest.status in ('partial', 'failed')
          or newest.status = 'succeeded' and (
            c.last_synced_at < ${outOfDate} or exists (
              select 1 from accounts a
              where a.user_id = ${userId} and a.connection_id = c.id and a.status = 'active'
                and a.currency is not null and a.closed_on is null
                and coalesce(a.complete_until, a.created_at::date) < ${lagging}
            )
          )
        )
      ) as found
    `.execute(this.em.getKysely());
    return rows[0]!.found;
  }

  /** Oldest first. A connection whose first sync is under way is healthy. */
  async unhealthy(userId: string): Promise<UnhealthyConnection[]> {
    const outOfDate = new Date(this.clock.now().getTime() - OUT_OF_DATE_MS);
    const rows = await this.em
      .getKysely<Tables>()
      .selectFrom('connections as c')
      .leftJoinLateral(
        (from) =>
          from
            .selectFrom('sync_runs as r')
            .select('r.status')
            .where('r.user_id', '=', userId)
            .whereRef('r.connection_id', '=', 'c.id')
            .where('r.status', 'in', ['succeeded', 'partial', 'failed'])
            .where('r.trigger', '<>', 'rebuild')
            .orderBy('r.queued_at', 'desc')
            .limit(1)
            .as('newest'),
        (join) => join.onTrue(),
      )
      .select(['c.id', 'c.name', 'c.status', 'c.last_synced_at'])
      .where('c.user_id', '=', userId)
      .where((eb) =>
        eb.or([
          eb('c.status', '=', 'attention_required'),
          eb('newest.status', '=', 'failed'),
          eb('c.last_synced_at', '<', outOfDate),
        ]),
      )
      .orderBy('c.created_at')
      .orderBy('c.id')
      .execute();
    return rows.map(({ id, name, status, last_synced_at: lastSyncedAt }) => ({
      id,
      name,
      needsPerson: status === 'attention_required',
      // The driver gives instants as text.
      lastSyncedAt: lastSyncedAt && new Date(lastSyncedAt).toISOString(),
    }));
  }
}
