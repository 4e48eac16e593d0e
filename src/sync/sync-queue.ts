import type { EntityManager } from '@mikro-orm/postgresql';
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
import { Config } from '../config.js';
import { DATABASE_ADDRESS, type DatabaseAddress } from '../database/address.js';

const QUEUE = 'sync';
/** A worker that has said nothing for so long is dead, and its job goes to another. */
const HEARTBEAT_SECONDS = 20;
const SUPERVISE_SECONDS = 10;
/** Longer than the deadline of a whole sync. */
const EXPIRE_SECONDS = 45 * 60;
const STOP_TIMEOUT_MS = 25_000;

export interface SyncJob {
  userId: string;
  runId: string;
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
    @Inject(DATABASE_ADDRESS) address: DatabaseAddress,
  ) {
    const server =
      'clientUrl' in address ? { connectionString: address.clientUrl } : { ...address, database: address.dbName };
    this.#boss = new PgBoss({
      ...server,
      max: 4,
      useListenNotify: true,
      schedule: false,
      superviseIntervalSeconds: SUPERVISE_SECONDS,
      monitorIntervalSeconds: SUPERVISE_SECONDS,
    });
    this.#boss.on('error', (error) => this.#log.warn(`The job queue is in trouble: ${error.message}`));
  }

  async onModuleInit(): Promise<void> {
    await this.#boss.start();
    await this.#boss.createQueue(QUEUE, {
      notify: true,
      retryLimit: 5,
      retryDelay: 5,
      retryBackoff: true,
      expireInSeconds: EXPIRE_SECONDS,
      heartbeatSeconds: HEARTBEAT_SECONDS,
    });
  }

  /** What this instance does with a job; given before the application has started. */
  handleWith(handler: SyncJobHandler): void {
    this.#handler = handler;
  }

  async onApplicationBootstrap(): Promise<void> {
    if (this.config.role === 'api' || !this.#handler) return;
    const handler = this.#handler;
    await this.#boss.work<SyncJob, void, { localConcurrency: number }>(
      QUEUE,
      { localConcurrency: this.config.syncConcurrency },
      async ([job]: Job<SyncJob>[]) => {
        if (job) await handler(job.data, AbortSignal.any([job.signal, this.#stopping.signal]));
      },
    );
  }

  /** Enqueues in the transaction of `em`: the job exists when that commits, and not before. */
  async send(job: SyncJob, em: EntityManager): Promise<void> {
    const kysely = em.getKysely();
    const executeSql = async (text: string, values: unknown[] = []) => ({
      rows: (await kysely.executeQuery(CompiledQuery.raw(text, values))).rows,
    });
    await this.#boss.send(QUEUE, job, { db: { executeSql } });
  }

  /** Running syncs stop after the account they are writing and go back into the queue. */
  async beforeApplicationShutdown(): Promise<void> {
    this.#stopping.abort();
    await this.#boss.stop({ graceful: true, timeout: STOP_TIMEOUT_MS });
  }
}
