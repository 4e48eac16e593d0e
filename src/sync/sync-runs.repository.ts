import { randomUUID } from 'node:crypto';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../time/clock.js';
import { Connection } from './connection.entity.js';
import { SyncQueue } from './sync-queue.js';
import { SyncRun, type SyncTrigger } from './sync-run.entity.js';

/** How far a run is, for people. */
export type SyncProgress = Pick<SyncRun, 'step' | 'accountsDone' | 'accountsTotal'>;

const OPEN = ['queued', 'running'] as const;

/** Sync runs: at most one open run per connection, which the database guarantees. */
@Injectable()
export class SyncRuns {
  constructor(
    private readonly em: EntityManager,
    private readonly queue: SyncQueue,
    private readonly clock: Clock,
  ) {}

  /** The open run of a connection, or a new one. Run and job are made in one transaction: neither exists without the other. */
  async request(userId: string, connectionId: string, trigger: SyncTrigger): Promise<SyncRun> {
    return this.em.fork().transactional(async (em) => {
      const id = randomUUID();
      const { numAffectedRows } = await sql`
        insert into sync_runs (user_id, id, connection_id, trigger, status, step, queued_at)
        values (${userId}, ${id}, ${connectionId}, ${trigger}, 'queued', 'waiting', ${this.clock.now()})
        on conflict (user_id, connection_id) where status in ('queued', 'running') do nothing
      `.execute(em.getKysely());
      if (numAffectedRows === 1n) {
        await this.queue.send({ userId, runId: id }, em);
        return em.findOneOrFail(SyncRun, { userId, id });
      }
      return em.findOneOrFail(SyncRun, { userId, connectionId, status: { $in: [...OPEN] } });
    });
  }

  /** Runs for one connection, or for every active one of everybody. */
  async requestMany(connectionId: string | null): Promise<SyncRun[]> {
    const wanted = connectionId ? { id: connectionId } : { status: 'active' as const };
    const connections = await this.em.fork().find(Connection, wanted, { orderBy: { userId: 'asc', id: 'asc' } });
    const runs: SyncRun[] = [];
    for (const { userId, id } of connections) runs.push(await this.request(userId, id, 'person'));
    return runs;
  }

  /** Within a transaction: ends the open run of a connection, whoever has it. Its worker stops before its next write. */
  async cancelOpen(em: EntityManager, userId: string, connectionId: string): Promise<void> {
    const open = { userId, connectionId, status: { $in: [...OPEN] } };
    await em.nativeUpdate(SyncRun, open, { status: 'cancelled', step: 'cancelled', finishedAt: this.clock.now() });
  }

  find(userId: string, id: string): Promise<SyncRun | null> {
    return this.em.fork().findOne(SyncRun, { userId, id });
  }

  /**
   * Tells how far a run is. One statement of its own, so that it shows at once whatever else is under way.
   *
   * @returns whether the run is still running: a cancelled one is not
   */
  async progress({ userId, id }: SyncRun, progress: SyncProgress): Promise<boolean> {
    const changed = await this.em.fork().nativeUpdate(SyncRun, { userId, id, status: 'running' }, progress);
    return changed === 1;
  }

  /** Takes a run up, or up again after its worker died; `null` when it is over or its person is gone. */
  async start(em: EntityManager, userId: string, id: string): Promise<SyncRun | null> {
    const run = await em.findOne(SyncRun, { userId, id, status: { $in: [...OPEN] } });
    if (!run) return null;
    Object.assign(run, { status: 'running', step: 'starting', startedAt: run.startedAt ?? this.clock.now() });
    await em.flush();
    return run;
  }
}
