import { setTimeout as wait } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import { type BeforeApplicationShutdown, Inject, Injectable, Logger } from '@nestjs/common';
import { fromKysely, type JobInsert, type JobWithMetadata, PgBoss, type Queue, type WorkOptions } from 'pg-boss';
import { Config } from '../../platform/config/config.js';
import { poolSizes } from '../../platform/config/pool-sizes.js';
import { DATABASE_ADDRESS, type DatabaseAddress, directAddress } from '../../database/address.js';
import { ClockCheck } from '../../database/clock-check.service.js';
import { DatabaseListener, notify } from '../../database/listener.js';
import { sessionConfig, usingSessionsFor } from '../../database/sessions/bounded-client.js';
import { DrainService } from '../../http/drain.service.js';
import { withAbortScope } from '../../platform/time/abort-scope.js';

/** The PostgreSQL channel for new jobs, by the name of their queue. Only a hint: workers also poll. */
const JOBS_CHANNEL = 'tidemark_jobs';
/**
 * A worker without a heartbeat for so long counts as dead. With the interval of the search and a retry, another one
 * takes its job up within a minute.
 */
const HEARTBEAT_SECONDS = 20;
const SEARCH_SECONDS = 10;
/** A worker notices so soon that its job was cancelled or taken up by another. */
const TOUCH_SECONDS = 5;
const STOP_TIMEOUT_MS = 25_000;
const STOP_MARGIN_MS = 5_000;

export type Job<T> = Pick<JobWithMetadata<T>, 'name' | 'id' | 'data' | 'retryCount'>;

/** @param signal aborted when the instance stops, or when the job is no longer this worker's */
type JobHandler<T> = (job: Job<T>, signal: AbortSignal) => Promise<unknown>;

/**
 * The job queues of all instances: pg-boss on our PostgreSQL. Every queue is exclusive: of the jobs with one
 * `singletonKey` at most one is queued or active, on any instance.
 */
@Injectable()
export class JobQueue implements BeforeApplicationShutdown {
  readonly #log = new Logger('Jobs');
  readonly #boss: PgBoss;
  readonly #stopping = new AbortController();
  #started: Promise<unknown> | null = null;
  #isStopped = false;

  constructor(
    private readonly config: Config,
    private readonly clockCheck: ClockCheck,
    drain: DrainService,
    @Inject(DATABASE_ADDRESS) address: DatabaseAddress,
    listener: DatabaseListener,
  ) {
    const { database } = config;
    this.#boss = new PgBoss({
      ...sessionConfig(directAddress(address), database),
      max: poolSizes(database.poolMax).jobs,
      schedule: false,
      superviseIntervalSeconds: SEARCH_SECONDS,
      monitorIntervalSeconds: SEARCH_SECONDS,
    });
    listener.subscribe(JOBS_CHANNEL, { onMessage: (queue) => this.wake(queue), onGap: () => this.wake() });
    drain.begun.addEventListener('abort', () => void this.#stopWorkers());
    this.#boss.on('error', (error) => {
      // Without the worker, so that the same warning of several is one that repeats.
      const message = error.message.replace(/, Worker: [^)]+/, '');
      // During a stop the last session ends after the pool, which pg-boss reports as an error.
      if (!this.#isStopped) this.#log.warn(`Job queue error: ${message}`);
    });
  }

  /** Makes a queue. One that exists gets these options. */
  async addQueue(name: string, options: Omit<Queue, 'name' | 'policy' | 'heartbeatSeconds'>): Promise<void> {
    await (this.#started ??= this.#boss.start());
    const all = { ...options, heartbeatSeconds: HEARTBEAT_SECONDS };
    await this.#boss.createQueue(name, { ...all, policy: 'exclusive' });
    await this.#boss.updateQueue(name, all);
  }

  /** Works on the jobs of a queue, unless this instance only serves requests. A failed job is retried. */
  async work<T>(queue: string, options: WorkOptions, handler: JobHandler<T>): Promise<void> {
    if (this.config.role === 'api') return;
    const all = { ...options, includeMetadata: true, heartbeatRefreshSeconds: TOUCH_SECONDS } as const;
    await this.#boss.work(queue, all, async ([job]: JobWithMetadata<T>[]) => {
      try {
        return await this.#handle(job!, handler);
      } catch (error) {
        // pg-boss does not log it. The message alone, because the driver quotes rows in the rest.
        const message = `A job of “${queue}” failed; it is retried: ${(error as Error).message}`;
        if (!job!.signal.aborted && !this.#stopping.signal.aborted) this.#log.error(message);
        throw error;
      } finally {
        // Or the worker would pause until it polls again.
        this.wake(queue);
      }
    });
  }

  async #handle<T>(job: JobWithMetadata<T>, handler: JobHandler<T>): Promise<unknown> {
    await this.clockCheck.requireRight();
    const signals = [job.signal, this.#stopping.signal];
    return withAbortScope({ signals }, (signal) => usingSessionsFor('background', () => handler(job, signal)));
  }

  /**
   * Adds jobs in the transaction of `em`.
   *
   * @returns the ids of those that were added: not those whose key another open job has
   */
  async add(em: EntityManager, queue: string, jobs: JobInsert[]): Promise<Set<string>> {
    const ids = (await this.#boss.insert(queue, jobs, { db: within(em), returnId: true })) ?? [];
    if (ids.length > 0 && jobs.some(({ startAfter }) => !startAfter)) await notify(em, JOBS_CHANNEL, queue);
    return new Set(ids);
  }

  /**
   * Adds a job, or starts now the one that waits with its key, in the transaction of `em`. If one is active, that is all:
   * it must look for more in the transaction that completes it.
   */
  async addNow(
    em: EntityManager,
    queue: string,
    { data, ...options }: JobInsert & { singletonKey: string },
  ): Promise<void> {
    await this.#boss.upsert(queue, data, { ...options, startAfter: 0, db: within(em) });
    await notify(em, JOBS_CHANNEL, queue);
  }

  /** Starts a waiting job now, in the transaction of `em`. */
  async hurry(em: EntityManager, queue: string, id: string): Promise<void> {
    await this.#boss.update(queue, undefined, { id, startAfter: 0, db: within(em) });
    await notify(em, JOBS_CHANNEL, queue);
  }

  /** Cancels a job in the transaction of `em`. */
  async cancel(em: EntityManager, queue: string, id: string): Promise<void> {
    await this.#boss.cancel(queue, id, { db: within(em) });
  }

  /** Completes a job in the transaction of `em`, so that its effect and its end are committed together. */
  async complete<T>(em: EntityManager, { name, id, retryCount }: Job<T>): Promise<void> {
    await this.#boss.complete(name, { id, retryCount }, undefined, { db: within(em) });
  }

  /** @param queue absent: all */
  wake(queue?: string): void {
    for (const { id, name } of this.#boss.getWipData()) if (!queue || name === queue) this.#boss.notifyWorker(id);
  }

  async beforeApplicationShutdown(): Promise<void> {
    const stopped = this.#stopWorkers().then(() => this.#boss.stop({ graceful: true, timeout: STOP_TIMEOUT_MS }));
    // pg-boss waits for its sessions, which never end if the server is frozen.
    await Promise.race([stopped, wait(STOP_TIMEOUT_MS + STOP_MARGIN_MS, undefined, { ref: false })]);
    this.#isStopped = true;
  }

  /** Running jobs go back to their queues as soon as their handlers end. */
  async #stopWorkers(): Promise<void> {
    this.#stopping.abort();
    const queues = new Set(this.#boss.getWipData().map(({ name }) => name));
    for (const queue of queues) await this.#boss.offWork(queue, { wait: false });
  }
}

/** pg-boss on the transaction of an entity manager. */
function within(em: EntityManager) {
  return fromKysely(em.getKysely());
}
