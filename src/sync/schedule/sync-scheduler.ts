import { EntityManager, type InferClassEntityDB } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import type { QueryCreator } from 'kysely';
import type { Connection } from '../connections/connection.entity.js';
import { Config } from '../../platform/config/config.js';
import { Clock } from '../../platform/time/clock.js';
import { nextTick } from '../../platform/time/cron-ticks.js';
import { SyncRunsService } from '../runs/sync-runs.service.js';
import { jitterMs } from './jitter.js';

type Tables = InferClassEntityDB<typeof Connection>;

/** Enqueues syncs of due connections after every tick of SYNC_CRON. Workers on any instance run them. */
@Injectable()
export class SyncScheduler {
  readonly #log = new Logger(SyncScheduler.name);

  constructor(
    private readonly config: Config,
    private readonly em: EntityManager,
    private readonly runs: SyncRunsService,
    private readonly clock: Clock,
  ) {}

  /** At a tick of SYNC_CRON. */
  async enqueueDue(): Promise<void> {
    const { syncCron } = this.config;
    const now = this.clock.now();
    const due = await this.tick(syncCron === null ? null : nextTick(syncCron, now).getTime() - now.getTime());
    if (due > 0) this.#log.log(`${due} connections are due`);
  }

  /**
   * Enqueues a sync for every due connection, with jitter. One transaction for each person, whose rows are together.
   *
   * @returns how many
   */
  async tick(untilNextTickMs: number | null = null): Promise<number> {
    const kysely = this.em.getKysely<Tables>();
    const people = await dueConnections(kysely, this.clock.now()).select('user_id').distinct().execute();
    let total = 0;
    for (const { user_id } of people)
      total += await this.em.transactional((em) => this.#enqueue(em, user_id, untilNextTickMs));
    return total;
  }

  async #enqueue(em: EntityManager, userId: string, untilNextTickMs: number | null): Promise<number> {
    const now = this.clock.now();
    // One that is locked is being synced, changed or removed.
    const due = await dueConnections(em.getKysely<Tables>(), now)
      .select('id')
      .where('user_id', '=', userId)
      .orderBy('id')
      .forNoKeyUpdate()
      .skipLocked()
      .execute();
    const wanted = due.map(({ id: connectionId }) => {
      const startAfter = jitterMs(connectionId, untilNextTickMs) / 1_000;
      return { connectionId, trigger: 'schedule' as const, startAfter };
    });
    return (await this.runs.enqueue(em, userId, wanted)).length;
  }
}

/** Active connections whose next sync is due. */
function dueConnections(kysely: QueryCreator<Tables>, now: Date) {
  return kysely
    .selectFrom('connections')
    .where('status', '=', 'active')
    .where((eb) => eb.or([eb('next_sync_at', 'is', null), eb('next_sync_at', '<=', now)]));
}
