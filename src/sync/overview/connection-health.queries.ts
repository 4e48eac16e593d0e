import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../time/clock.js';

const OUT_OF_DATE_MS = 2 * 86_400_000;

/** A connection that brings nothing now. */
export interface UnhealthyConnection {
  id: string;
  name: string;
  /** Whether nothing comes before its person acts. */
  needsPerson: boolean;
  /** `null`: it never brought anything. */
  lastSyncedAt: string | null;
}

/** What every page says about connections: one statement, and mostly no row. */
@Injectable()
export class ConnectionHealthQueries {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /** Oldest first. A first sync that is still under way is no trouble yet. */
  async unhealthy(userId: string): Promise<UnhealthyConnection[]> {
    const outOfDate = new Date(this.clock.now().getTime() - OUT_OF_DATE_MS);
    const { rows } = await sql<Omit<UnhealthyConnection, 'lastSyncedAt'> & { lastSyncedAt: number | null }>`
      select c.id, c.name, c.status = 'attention_required' as "needsPerson",
        extract(epoch from c.last_synced_at)::float8 * 1000 as "lastSyncedAt"
      from connections c
      left join lateral (
        select status from sync_runs r
        where r.user_id = c.user_id and r.connection_id = c.id and r.status in ('succeeded', 'partial', 'failed')
          and r.trigger <> 'rebuild'
        order by queued_at desc limit 1
      ) newest on true
      where c.user_id = ${userId}
        and (c.status = 'attention_required' or newest.status = 'failed' or c.last_synced_at < ${outOfDate})
      order by c.created_at, c.id
    `.execute(this.em.getKysely());
    return rows.map(({ lastSyncedAt, ...row }) => ({
      ...row,
      lastSyncedAt: lastSyncedAt === null ? null : new Date(lastSyncedAt).toISOString(),
    }));
  }
}
