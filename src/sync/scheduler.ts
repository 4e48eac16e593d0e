import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { CronJob } from 'cron';
import { sql } from 'kysely';
import { Config } from '../config.js';
import { Clock } from '../time/clock.js';
import { SyncRuns } from './sync-runs.repository.js';

/** Looks for due connections at every tick of SYNC_CRON. It only enqueues: workers on any instance do the rest. */
@Injectable()
export class Scheduler implements OnApplicationBootstrap {
  readonly #log = new Logger('Scheduler');

  constructor(
    private readonly config: Config,
    private readonly registry: SchedulerRegistry,
    private readonly em: EntityManager,
    private readonly runs: SyncRuns,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    if (this.config.role === 'api' || this.config.syncCron === null) return;
    const job = CronJob.from({
      cronTime: this.config.syncCron,
      onTick: () => void this.#guardedTick(),
      timeZone: 'UTC',
    });
    this.registry.addCronJob('sync', job);
    job.start();
  }

  /** Enqueues a sync for every active connection whose time has come. */
  async tick(): Promise<number> {
    const { rows } = await sql<{ user_id: string; id: string }>`
      select user_id, id from connections
      where status = 'active' and (next_sync_at is null or next_sync_at <= ${this.clock.now()})
    `.execute(this.em.fork().getKysely());
    for (const { user_id, id } of rows) await this.runs.request(user_id, id, 'schedule');
    return rows.length;
  }

  async #guardedTick(): Promise<void> {
    try {
      const due = await this.tick();
      if (due > 0) this.#log.log(`${due} connections are due`);
    } catch (error) {
      this.#log.warn(`Looking for due connections failed and will be tried at the next tick: ${String(error)}`);
    }
  }
}
