import { EntityManager, type InferClassEntityDB } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Connection } from '../../connections/connection.entity.js';
import { Clock } from '../../time/clock.js';
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
            .whereRef('r.user_id', '=', 'c.user_id')
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
