import { EntityManager, type InferClassEntityDB } from '@mikro-orm/postgresql';
import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { type QueryCreator, sql } from 'kysely';
import type { Connection } from '../../connections/connection.entity.js';
import { Config } from '../../config/config.js';
import { hasCitus } from '../../database/distribution/citus.js';
import { NIL_UUID } from '../../database/nil-uuid.js';
import { ScheduledTasks } from '../../schedule/scheduled-tasks.service.js';
import { Clock } from '../../time/clock.js';
import { noteRuns } from '../events/run-events.js';
import { SyncQueue } from '../queue/sync-queue.js';
import { OPEN_STATUSES, type SyncRun } from '../sync-run.entity.js';
import { jitterMs } from './jitter.js';

type Tables = InferClassEntityDB<typeof Connection | typeof SyncRun>;

const BATCH = 500;

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
    this.scheduled.add('sync', syncCron, async (untilNextTickMs) => {
      try {
        const due = await this.tick(untilNextTickMs);
        if (due > 0) this.#log.log(`${due} connections are due`);
      } catch (error) {
        this.#log.warn(`Finding due connections failed; retrying at the next tick: ${String(error)}`);
      }
    });
  }

  /**
   * Enqueues a sync for every due connection, with jitter.
   *
   * @returns how many
   */
  async tick(untilNextTickMs: number | null = null): Promise<number> {
    let total = 0;
    for await (const userId of this.#lockable()) {
      for (;;) {
        const count = await this.em.transactional((em) => this.#enqueue(em, userId, untilNextTickMs));
        total += count;
        if (count === 0) break;
      }
    }
    return total;
  }

  /** Whose connections one statement can lock: everybody's (`null`), or on Citus those of one person after the other. */
  async *#lockable(): AsyncGenerator<string | null> {
    const kysely = this.em.getKysely<Tables>();
    if (!(await hasCitus((text) => sql.raw<{ found: boolean }>(text).execute(kysely)))) {
      yield null;
      return;
    }
    for (let last = NIL_UUID; ;) {
      const rows = await dueConnections(kysely, this.clock.now())
        .select('user_id')
        .distinct()
        .where('user_id', '>', last)
        .orderBy('user_id')
        .limit(BATCH)
        .execute();
      for (const { user_id } of rows) yield user_id;
      if (rows.length < BATCH) return;
      last = rows.at(-1)!.user_id;
    }
  }

  /** @param userId whose connections; `null`: everybody's */
  async #enqueue(em: EntityManager, userId: string | null, untilNextTickMs: number | null): Promise<number> {
    const now = this.clock.now();
    const runs = await insertRuns(em, userId, now);
    if (runs.length === 0) return 0;
    const jobs = runs.map(({ userId, id, jobId }) => ({ userId, runId: id, jobId: jobId! }));
    const startAt = runs.map(({ connectionId }) => {
      const waitMs = jitterMs(connectionId!, untilNextTickMs);
      return waitMs === 0 ? null : new Date(now.getTime() + waitMs);
    });
    await this.queue.send(em, jobs, startAt);
    noteRuns(runs);
    return runs.length;
  }
}

/**
 * Locks some due connections, those that wait longest. All instances tick at the same moment: the lock makes PostgreSQL
 * check again whether a connection is due, so none is enqueued twice.
 */
function lockDue(kysely: QueryCreator<Tables>, userId: string | null, now: Date) {
  return dueConnections(kysely, now)
    .select(['user_id', 'id'])
    .$if(userId !== null, (due) => due.where('user_id', '=', userId!))
    .orderBy('next_sync_at', (order) => order.asc().nullsFirst())
    .orderBy('id')
    .limit(BATCH)
    .forNoKeyUpdate()
    .skipLocked();
}

/** Makes runs of due connections. */
function insertRuns(em: EntityManager, userId: string | null, now: Date) {
  return em
    .getKysely<Tables>()
    .with('due', (having) => lockDue(having, userId, now))
    .insertInto('sync_runs')
    .columns(['user_id', 'id', 'connection_id', 'trigger', 'status', 'step', 'queued_at', 'job_id'])
    .expression((eb) =>
      eb
        .selectFrom('due')
        .select((eb) => [
          'user_id',
          eb.fn<string>('gen_random_uuid').as('id'),
          'id as connection_id',
          eb.val('schedule').as('trigger'),
          eb.val('queued').as('status'),
          eb.val('waiting').as('step'),
          eb.val(now).as('queued_at'),
          eb.fn<string>('gen_random_uuid').as('job_id'),
        ]),
    )
    .onConflict((conflict) =>
      // Literals, because the index is found by them.
      conflict
        .columns(['user_id', 'connection_id'])
        .where(
          'status',
          'in',
          OPEN_STATUSES.map((status) => sql.lit(status)),
        )
        .doNothing(),
    )
    .returning(['user_id as userId', 'id', 'connection_id as connectionId', 'job_id as jobId'])
    .execute();
}

/** Connections whose next sync is due, and that have no open run. */
function dueConnections(kysely: QueryCreator<Tables>, now: Date) {
  return kysely
    .selectFrom('connections as connection')
    .where((eb) =>
      eb.and([
        eb('status', '=', 'active'),
        eb.or([eb('next_sync_at', 'is', null), eb('next_sync_at', '<=', now)]),
        eb.not(
          eb.exists(
            eb
              .selectFrom('sync_runs as run')
              .select('run.id')
              .whereRef('run.user_id', '=', 'connection.user_id')
              .whereRef('run.connection_id', '=', 'connection.id')
              .where('run.status', 'in', OPEN_STATUSES),
          ),
        ),
      ]),
    );
}
