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
import { type Job, PgBoss } from 'pg-boss';
import { DrainService } from '../../http/drain.service.js';
import { Config } from '../../config/config.js';
import { DATABASE_ADDRESS, type DatabaseAddress, directAddress } from '../../database/address.js';
import { refuseSecondSession } from '../../database/sessions/held-session.js';
import { poolSizes } from '../../config/pool-sizes.js';
import type { SessionClient } from '../../database/sessions/session-client.js';
import { sessionConfig } from '../../database/sessions/session-pool.js';
import { withAbortScope } from '../../time/abort-scope.js';
import { OPEN_STATUSES, type SyncRun } from '../sync-run.entity.js';

/** The name of the queue in pg-boss. */
export const QUEUE = 'sync';
/** A worker that has said nothing for so long is dead, and its job goes to another. */
const HEARTBEAT_SECONDS = 15;
const SUPERVISE_SECONDS = 5;
/** New jobs are told at once; this is for those that come back and those that were put off. */
const POLL_SECONDS = 2;
/** Of jobs that are over. The sync run tells what came of them. */
const DELETE_AFTER_SECONDS = 24 * 60 * 60;
/** Longer than the deadline of a whole sync. */
const EXPIRE_SECONDS = 45 * 60;
/** A run that so many workers have begun and none has ended is given up. Its job is retried no more often either. */
export const MAX_ATTEMPTS = 10;
/** Sooner, when those workers stopped responding: whatever is the matter with the run, it takes workers down. */
export const MAX_LOST_LEASES = 3;
/** Before the first retry, and twice as long before each further one: a killed worker has an heir within seconds. */
const RETRY_DELAY_SECONDS = 1;
const MAX_RETRY_DELAY_SECONDS = 5 * 60;
/** No job has this id. */
const NO_JOB = '00000000-0000-0000-0000-000000000000';
const STOP_TIMEOUT_MS = 25_000;
const STOP_MARGIN_MS = 5_000;

/** What a job is about. */
export interface SyncTask {
  userId: string;
  runId: string;
}

export interface SyncJob extends SyncTask {
  jobId: string;
}

export type SyncJobHandler = (job: SyncJob, signal: AbortSignal) => Promise<void>;

/** Jobs for any number of instances, on the PostgreSQL that is there anyway. */
@Injectable()
export class SyncQueue implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #log = new Logger('SyncQueue');
  readonly #boss: PgBoss;
  readonly #stopping = new AbortController();
  #handler: SyncJobHandler | null = null;

  constructor(
    private readonly config: Config,
    private readonly drain: DrainService,
    @Inject(DATABASE_ADDRESS) address: DatabaseAddress,
  ) {
    const { database } = config;
    const pool = {
      ...sessionConfig(directAddress(address), database),
      max: poolSizes(database.poolMax).jobs,
      onConnect: (session: SessionClient) => session.limitTo(database.limits.request),
    };
    this.#boss = new PgBoss({
      ...pool,
      useListenNotify: true,
      schedule: false,
      superviseIntervalSeconds: SUPERVISE_SECONDS,
      monitorIntervalSeconds: SUPERVISE_SECONDS,
    });
    refuseInsideTransactions(this.#boss);
    this.#boss.on('error', (error) => this.#log.warn(`The job queue is in trouble: ${error.message}`));
  }

  async onModuleInit(): Promise<void> {
    await this.#boss.start();
    const options = {
      notify: true,
      retryLimit: MAX_ATTEMPTS,
      retryDelay: RETRY_DELAY_SECONDS,
      retryBackoff: true,
      retryDelayMax: MAX_RETRY_DELAY_SECONDS,
      expireInSeconds: EXPIRE_SECONDS,
      heartbeatSeconds: HEARTBEAT_SECONDS,
      deleteAfterSeconds: DELETE_AFTER_SECONDS,
    };
    await this.#boss.createQueue(QUEUE, options);
    // A queue that is there already keeps what it was made with.
    await this.#boss.updateQueue(QUEUE, options);
    await this.#cacheQueue();
  }

  /**
   * pg-boss reads a queue's settings with a session of its own when it first uses the queue, and `updateQueue` makes it
   * forget them. The first use would otherwise be inside a transaction, which holds a session already.
   */
  async #cacheQueue(): Promise<void> {
    await this.#boss.cancel(QUEUE, NO_JOB);
  }

  /** What this instance does with a job; given before the application has started. */
  handleWith(handler: SyncJobHandler): void {
    this.#handler = handler;
  }

  async onApplicationBootstrap(): Promise<void> {
    if (this.config.role === 'api' || !this.#handler) return;
    this.drain.begun.addEventListener('abort', () => void this.#stopWorkers());
    await this.#startWorkers(this.#handler);
  }

  /** One job after the other, without a pause while there are any. */
  async #startWorkers(handler: SyncJobHandler): Promise<void> {
    const options = {
      pollingIntervalSeconds: POLL_SECONDS,
      notifyPollingIntervalSeconds: POLL_SECONDS,
      localConcurrency: this.config.syncConcurrency,
      localGroupConcurrency: slotsPerPerson(this.config.syncConcurrency),
    };
    await this.#boss.work<SyncTask>(QUEUE, options, async ([job]: Job<SyncTask>[]) => {
      if (!job) return;
      try {
        const signals = [job.signal, this.#stopping.signal];
        await withAbortScope({ signals }, (signal) => this.#handle(handler, job, signal));
      } finally {
        for (const { id } of this.#boss.getWipData()) this.#boss.notifyWorker(id);
      }
    });
  }

  async #handle(handler: SyncJobHandler, { id, data }: Job<SyncTask>, signal: AbortSignal): Promise<void> {
    try {
      await handler({ ...data, jobId: id }, signal);
    } catch (error) {
      // pg-boss says nothing of it. An interrupted sync is no fault.
      if (!signal.aborted) this.#logFailure(data.runId, error);
      throw error;
    }
  }

  #logFailure(runId: string, error: unknown): void {
    this.#log.error({ message: `A sync could not be ended and is retried: ${String(error)}`, sync: runId });
  }

  /**
   * Enqueues in the transaction of `em`: the jobs exist when that commits, and not before.
   *
   * @param startAt by index: not before then; `null` and missing: at once
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
  }

  /** Takes a job back, in the transaction of `em`; a worker that has it notices at its next sign of life. */
  async cancel(em: EntityManager, jobId: string): Promise<void> {
    await this.#boss.cancel(QUEUE, jobId, { db: within(em) });
  }

  async beforeApplicationShutdown(): Promise<void> {
    const stopped = this.#stopWorkers().then(() => this.#boss.stop({ graceful: true, timeout: STOP_TIMEOUT_MS }));
    // pg-boss waits for its listener to end, which a frozen server never confirms.
    await Promise.race([stopped, wait(STOP_TIMEOUT_MS + STOP_MARGIN_MS, undefined, { ref: false })]);
  }

  /** Running syncs stop after the account they are writing and go back into the queue, for other instances. */
  async #stopWorkers(): Promise<void> {
    this.#stopping.abort();
    await this.#boss.offWork(QUEUE, { wait: false });
  }
}

/**
 * A person whose providers never answer must not keep everybody's syncs from starting: the other slots of an instance are
 * for others, also when they come later.
 */
function slotsPerPerson(slots: number): number {
  return Math.max(1, Math.ceil(slots / 2));
}

/** For each job how many open runs its person has before it: the fewer, the sooner it is its turn. */
async function turnsOf(em: EntityManager, jobs: readonly SyncTask[]): Promise<number[]> {
  const turns = new Map<string, number>();
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

/** What is enqueued inside a transaction goes through its session. */
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
