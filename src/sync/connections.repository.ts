import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Connection } from './connection.entity.js';
import { SyncRun } from './sync-run.entity.js';

export interface ConnectionWithRun {
  connection: Connection;
  /** The newest run, whatever its state; `null` when there was none. */
  latest: SyncRun | null;
}

/** Reads connections together with their newest runs. */
@Injectable()
export class ConnectionsRepository {
  constructor(private readonly em: EntityManager) {}

  /** Oldest first: the order in which a person made them. */
  async list(
    userId: string,
    page: { page: number; per_page: number },
  ): Promise<{ rows: ConnectionWithRun[]; totalCount: number }> {
    const em = this.em.fork();
    const [connections, totalCount] = await em.findAndCount(
      Connection,
      { userId },
      { orderBy: { createdAt: 'asc', id: 'asc' }, limit: page.per_page, offset: (page.page - 1) * page.per_page },
    );
    return { rows: await withLatestRuns(em, userId, connections), totalCount };
  }

  /** `null` for unknown and for somebody else's. */
  async find(userId: string, id: string): Promise<ConnectionWithRun | null> {
    const em = this.em.fork();
    const connection = await em.findOne(Connection, { userId, id });
    return connection && (await withLatestRuns(em, userId, [connection]))[0]!;
  }
}

async function withLatestRuns(
  em: EntityManager,
  userId: string,
  connections: Connection[],
): Promise<ConnectionWithRun[]> {
  const ids = connections.map(({ id }) => id);
  const { rows } = await sql<{ id: string }>`
    select distinct on (connection_id) id from sync_runs
    where user_id = ${userId} and connection_id = any(${ids}::uuid[])
    order by connection_id, queued_at desc, id
  `.execute(em.getKysely());
  const runs = await em.find(SyncRun, { userId, id: { $in: rows.map(({ id }) => id) } });
  const byConnection = new Map(runs.map((run) => [run.connectionId, run]));
  return connections.map((connection) => ({ connection, latest: byConnection.get(connection.id) ?? null }));
}
