import { setTimeout as wait } from 'node:timers/promises';
import type { EntityManager, InferClassEntityDB } from '@mikro-orm/postgresql';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
import { CompiledQuery } from 'kysely';
import { type Job, PgBoss, systemClock } from 'pg-boss';
import { DrainService } from '../../http/drain.service.js';
import { Config } from '../../config/config.js';
import { DATABASE_ADDRESS, type DatabaseAddress, directAddress } from '../../database/address.js';
import { DatabaseListener, notify } from '../../database/listener.js';
import { NIL_UUID } from '../../database/nil-uuid.js';
import { refuseSecondSession } from '../../database/sessions/held-session.js';
import { poolSizes } from '../../config/pool-sizes.js';
import { sessionConfig } from '../../database/sessions/bounded-client.js';
import { withAbortScope } from '../../time/abort-scope.js';
import { OPEN_STATUSES, type SyncRun } from '../sync-run.entity.js';

/** The name of the queue in pg-boss. */
export const QUEUE = 'sync';
/** The PostgreSQL channel for new jobs. Only a hint: workers also poll. */
const JOBS_CHANNEL = 'tidemark_sync_jobs';
/** A worker without a heartbeat for so long counts as dead, and its job goes to another. */
const HEARTBEAT_SECONDS = 15;
const SUPERVISE_SECONDS = 5;
/** For retried and delayed jobs; new ones are notified at once. */
const POLL_SECONDS = 2;
/** Of ended jobs; their results are in the sync runs. */
const DELETE_AFTER_SECONDS = 24 * 60 * 60;
/** Longer than the deadline of a whole sync. */
const EXPIRE_SECONDS = 45 * 60;
/** A run fails after so many attempts. */
export const MAX_ATTEMPTS = 10;
/** A run fails sooner if its workers stopped responding, because it probably takes them down. */
export const MAX_LOST_LEASES = 3;
/** Before the first retry; doubled before each further one. */
const RETRY_DELAY_SECONDS = 1;
const MAX_RETRY_DELAY_SECONDS = 5 * 60;
const STOP_TIMEOUT_MS = 25_000;
const STOP_MARGIN_MS = 5_000;

/** Or the timers of pg-boss would wait until the old time when the machine's clock is set back. */
const MONOTONIC_CLOCK = { ...systemClock, now: () => performance.timeOrigin + performance.now() };

/** The data of a job. */
interface SyncTask {
  userId: string;
  runId: string;
}

export interface SyncJob extends SyncTask {
  jobId: string;
}

/** Runs a job. A higher folder provides it. */
export abstract class SyncJobHandler {
  abstract run(job: SyncJob, signal: AbortSignal): Promise<void>;
}

/** The job queue of all instances: pg-boss on our PostgreSQL. */
@Injectable()
export class SyncQueue implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #log = new Logger('SyncQueue');
  readonly #boss: PgBoss;
  readonly #stopping = new AbortController();
  #isStopped = false;

  constructor(
    private readonly config: Config,
    private readonly drain: DrainService,
    private readonly handler: SyncJobHandler,
    @Inject(DATABASE_ADDRESS) address: DatabaseAddress,
    listener: DatabaseListener,
  ) {
    const { database } = config;
    const pool = {
      ...sessionConfig(directAddress(address), database),
      max: poolSizes(database.poolMax).jobs,
    };
    this.#boss = new PgBoss({
      ...pool,
      clock: MONOTONIC_CLOCK,
      schedule: false,
      superviseIntervalSeconds: SUPERVISE_SECONDS,
      monitorIntervalSeconds: SUPERVISE_SECONDS,
    });
    refuseInsideTransactions(this.#boss);
    const wake = () => this.#wakeWorkers();
    listener.subscribe(JOBS_CHANNEL, { onMessage: wake, onGap: wake });
    this.#boss.on('error', (error) => {
      // Without the worker, so that the same warning of several is one that repeats.
      const message = error.message.replace(/, Worker: [^)]+/, '');
      // During a stop the last session ends after the pool, which pg-boss reports as an error.
      if (!this.#isStopped) this.#log.warn(`Job queue error: ${message}`);
    });
  }

  async onModuleInit(): Promise<void> {
    await this.#boss.start();
    const options = {
      // pg-boss would listen in one more session per instance, and not handle its loss during a stop.
      notify: false,
      retryLimit: MAX_ATTEMPTS,
      retryDelay: RETRY_DELAY_SECONDS,
      retryBackoff: true,
      retryDelayMax: MAX_RETRY_DELAY_SECONDS,
      expireInSeconds: EXPIRE_SECONDS,
      heartbeatSeconds: HEARTBEAT_SECONDS,
      deleteAfterSeconds: DELETE_AFTER_SECONDS,
    };
    await this.#boss.createQueue(QUEUE, options);
    // An existing queue keeps its old options otherwise.
    await this.#boss.updateQueue(QUEUE, options);
    // Makes pg-boss cache the queue's settings now. Its first use reads them with a session of its own, and inside a
    // transaction that would be a second one.
    await this.#boss.cancel(QUEUE, NIL_UUID);
  }

  async onApplicationBootstrap(): Promise<void> {
    if (this.config.role === 'api') return;
    this.drain.begun.addEventListener('abort', () => void this.#stopWorkers());
    await this.#startWorkers();
  }

  /** Runs jobs without a pause while there are any. */
  async #startWorkers(): Promise<void> {
    const { syncConcurrency } = this.config;
    const options = {
      pollingIntervalSeconds: POLL_SECONDS,
      localConcurrency: syncConcurrency,
      // A person whose providers never answer must not block all others.
      localGroupConcurrency: Math.ceil(syncConcurrency / 2),
    };
    await this.#boss.work<SyncTask>(QUEUE, options, async ([job]: Job<SyncTask>[]) => {
      if (!job) return;
      try {
        const signals = [job.signal, this.#stopping.signal];
        await withAbortScope({ signals }, (signal) => this.#handle(job, signal));
      } finally {
        this.#wakeWorkers();
      }
    });
  }

  #wakeWorkers(): void {
    for (const { id } of this.#boss.getWipData()) this.#boss.notifyWorker(id);
  }

  async #handle({ id, data }: Job<SyncTask>, signal: AbortSignal): Promise<void> {
    try {
      await this.handler.run({ ...data, jobId: id }, signal);
    } catch (error) {
      // pg-boss does not log it. An interrupted sync is no error.
      const message = `A sync failed without a stored result; retrying: ${String(error)}`;
      if (!signal.aborted) this.#log.error({ message, sync: data.runId });
      throw error;
    }
  }

  /**
   * Enqueues jobs in the transaction of `em`.
   *
   * @param startAt earliest start by index; `null` or absent: at once
   */
  async send(em: EntityManager, jobs: readonly SyncJob[], startAt: readonly (Date | null)[] = []): Promise<void> {
    const turns = await turnsOf(em, jobs);
    const inserts = jobs.map(({ userId, runId, jobId }, index) => ({
      id: jobId,
      data: { userId, runId },
      group: { id: userId },
      priority: -turns[index]!,
      ...(startAt[index] && { startAfter: startAt[index] }),
    }));
    await this.#boss.insert(QUEUE, inserts, { db: within(em) });
    if (inserts.some(({ startAfter }) => !startAfter)) await notify(em, JOBS_CHANNEL);
  }

  /** Cancels a job in the transaction of `em`. Its worker notices at the next heartbeat. */
  async cancel(em: EntityManager, jobId: string): Promise<void> {
    await this.#boss.cancel(QUEUE, jobId, { db: within(em) });
  }

  async beforeApplicationShutdown(): Promise<void> {
    const stopped = this.#stopWorkers().then(() => this.#boss.stop({ graceful: true, timeout: STOP_TIMEOUT_MS }));
    // pg-boss waits for its sessions, which never end if the server is frozen.
    await Promise.race([stopped, wait(STOP_TIMEOUT_MS + STOP_MARGIN_MS, undefined, { ref: false })]);
    this.#isStopped = true;
  }

  /** Requeues running syncs for other instances, after the account that each is writing. */
  async #stopWorkers(): Promise<void> {
    this.#stopping.abort();
    await this.#boss.offWork(QUEUE, { wait: false });
  }
}

/** Counts the open runs of each job's person. Jobs of persons with fewer runs come first. */
async function turnsOf(em: EntityManager, jobs: readonly SyncTask[]): Promise<number[]> {
  const turns = new Map<string, number>();
  // The runs of these jobs are open, too, and do not count.
  for (const { userId } of jobs) turns.set(userId, (turns.get(userId) ?? 0) - 1);
  const openRuns = await em
    .getKysely<InferClassEntityDB<typeof SyncRun>>()
    .selectFrom('sync_runs')
    .select(({ fn }) => ['user_id', fn.countAll<string>().as('count')])
    .where((eb) => eb('user_id', '=', eb.fn.any(eb.val([...turns.keys()]))))
    .where('status', 'in', OPEN_STATUSES)
    .groupBy('user_id')
    .execute();
  for (const { user_id, count } of openRuns) turns.set(user_id, Math.max(0, turns.get(user_id)! + Number(count)));
  return jobs.map(({ userId }) => {
    const turn = Math.max(0, turns.get(userId)!);
    turns.set(userId, turn + 1);
    return turn;
  });
}

/** Inside a transaction pg-boss must use the transaction's session. */
function refuseInsideTransactions(boss: PgBoss): void {
  const db = boss.getDb();
  const executeSql = db.executeSql.bind(db);
  db.executeSql = (...call) => {
    refuseSecondSession();
    return executeSql(...call);
  };
}

/** pg-boss on the transaction of an entity manager. */
function within(em: EntityManager) {
  const kysely = em.getKysely();
  return {
    executeSql: async (text: string, values: unknown[] = []) => ({
      rows: [...(await kysely.executeQuery(CompiledQuery.raw(text, values))).rows],
    }),
  };
}
