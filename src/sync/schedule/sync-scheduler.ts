import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { type RawBuilder, sql } from 'kysely';
import { Config } from '../../config/config.js';
import { hasCitus } from '../../database/distribution/citus.js';
import { ScheduledTasks } from '../../schedule/scheduled-tasks.service.js';
import { Clock } from '../../time/clock.js';
import { latestNextSync, latestSync } from '../clock-set-back.js';
import { noteRuns } from '../events/run-events.js';
import { SyncQueue } from '../queue/sync-queue.js';
import { createHash } from 'node:crypto';

const BATCH = 500;
/** Before everybody. */
const NOBODY = '00000000-0000-0000-0000-000000000000';

/** Enqueues syncs of due connections at every tick of SYNC_CRON. Workers on any instance run them. */
@Injectable()
export class SyncScheduler implements OnApplicationBootstrap {
  readonly #log = new Logger(SyncScheduler.name);

  constructor(
    private readonly config: Config,
    private readonly scheduled: ScheduledTasks,
    private readonly em: EntityManager,
    private readonly queue: SyncQueue,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    const { syncCron } = this.config;
    if (syncCron === null) return;
    this.scheduled.add('sync', syncCron, (untilNextTickMs) => this.#guardedTick(untilNextTickMs));
  }

  /**
   * Enqueues a sync for every due connection, with jitter.
   *
   * @returns how many
   */
  async tick(untilNextTickMs: number | null = null): Promise<number> {
    let total = 0;
    for await (const whose of this.#lockable()) {
      for (;;) {
        const count = await this.em.transactional((em) => this.#enqueue(em, whose, untilNextTickMs));
        total += count;
        if (count === 0) break;
      }
    }
    return total;
  }

  /** Whose connections one statement can lock: everybody's, or on Citus those of one person after the other. */
  async *#lockable(): AsyncGenerator<RawBuilder<unknown>> {
    if (!(await hasCitus((text) => sql.raw<{ found: boolean }>(text).execute(this.em.getKysely())))) {
      yield sql`true`;
      return;
    }
    for (let last = NOBODY; ;) {
      const { rows } = await sql<{ user_id: string }>`
        select distinct user_id from connections connection
        where user_id > ${last} and ${isDue(this.clock.now())} order by user_id limit ${BATCH}
      `.execute(this.em.getKysely());
      for (const { user_id } of rows) yield sql`user_id = ${user_id}`;
      if (rows.length < BATCH) return;
      last = rows.at(-1)!.user_id;
    }
  }

  /**
   * All instances tick at the same moment. The lock makes PostgreSQL check again whether a connection is due, so none
   * is enqueued twice. Raw, because it inserts what it selects and leaves the defaults to the table.
   */
  async #enqueue(em: EntityManager, whose: RawBuilder<unknown>, untilNextTickMs: number | null): Promise<number> {
    const now = this.clock.now();
    const { rows } = await sql<{ userId: string; id: string; connectionId: string; jobId: string }>`
      with due as (
        select user_id, id from connections connection
        where ${whose} and ${isDue(now)}
        order by next_sync_at nulls first, id
        limit ${BATCH}
        for no key update skip locked
      )
      insert into sync_runs (user_id, id, connection_id, trigger, status, step, queued_at, job_id)
      select user_id, gen_random_uuid(), id, 'schedule', 'queued', 'waiting', ${now}, gen_random_uuid()
      from due
      on conflict (user_id, connection_id) where status in ('queued', 'running') do nothing
      returning user_id as "userId", id, connection_id as "connectionId", job_id as "jobId"
    `.execute(em.getKysely());
    if (rows.length === 0) return 0;
    const jobs = rows.map(({ userId, id, jobId }) => ({ userId, runId: id, jobId }));
    const startAt = rows.map(({ connectionId }) => {
      const waitMs = jitterMs(connectionId, untilNextTickMs);
      return waitMs === 0 ? null : new Date(now.getTime() + waitMs);
    });
    await this.queue.send(em, jobs, startAt);
    noteRuns(rows);
    return rows.length;
  }

  async #guardedTick(untilNextTickMs: number): Promise<void> {
    try {
      const due = await this.tick(untilNextTickMs);
      if (due > 0) this.#log.log(`${due} connections are due`);
    } catch (error) {
      this.#log.warn(`Looking for due connections failed and will be tried at the next tick: ${String(error)}`);
    }
  }
}

const MAX_JITTER_MS = 15 * 60_000;

/**
 * The delay of a connection after a tick, so that the connections of all installs do not call a provider at the same
 * second. It is constant for a connection and at most a quarter of the time to the next tick.
 *
 * @param untilNextTickMs `null`: unknown, so there is no delay
 */
export function jitterMs(connectionId: string, untilNextTickMs: number | null): number {
  const window = Math.min(MAX_JITTER_MS, (untilNextTickMs ?? 0) / 4);
  const fraction = createHash('sha256').update(connectionId).digest().readUInt32BE() / 2 ** 32;
  return Math.floor(Math.max(0, window) * fraction);
}

function isDue(now: Date) {
  return sql`
    status = 'active'
      and (next_sync_at is null or next_sync_at <= ${now}
        or next_sync_at > ${latestNextSync(now)} or last_synced_at > ${latestSync(now)})
      and not exists (
        select 1 from sync_runs run
        where run.user_id = connection.user_id and run.connection_id = connection.id
          and run.status in ('queued', 'running')
      )`;
}
