import { randomUUID } from 'node:crypto';
import { EntityManager, type FilterQuery } from '@mikro-orm/postgresql';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DomainError } from '../../platform/domain-error.js';
import { atOneMoment } from '../../database/one-moment.js';
import { reader } from '../../database/reader.js';
import { offsetOf } from '../../http/pagination/page.js';
import { Clock } from '../../platform/time/clock.js';
import { noteEndedRuns, noteRuns } from '../events/run-events.js';
import { Connection, lockConnection } from '../connections/connection.entity.js';
import { RequestBudgetService } from '../connections/request-budget.service.js';
import { JobQueue } from '../jobs/job-queue.js';
import { NEWEST_FIRST, OPEN, SyncRun, type SyncStatus, type SyncTrigger } from '../sync-run.entity.js';
import type { SyncTask } from './run-attempt.js';

/** The name of the queue in pg-boss. */
export const QUEUE = 'sync';
/** Gets the jobs of syncs that failed at every attempt. */
export const GIVEN_UP_QUEUE = 'sync-given-up';
const DAY_SECONDS = 24 * 60 * 60;
/** After the end of a sync. Whoever sends a vendor's push again and again causes one sync in so many minutes. */
const PUSH_PAUSE_MS = 5 * 60_000;
const OPTIONS = {
  retryLimit: 5,
  retryDelay: 2,
  retryBackoff: true,
  retryDelayMax: 5 * 60,
  // Longer than the deadline of a whole sync.
  expireInSeconds: 45 * 60,
  // Of ended jobs; their results are in the sync runs.
  deleteAfterSeconds: DAY_SECONDS,
};

interface WantedRun {
  connectionId: string;
  trigger: SyncTrigger;
  /** In seconds; absent: at once. */
  startAfter?: number;
}

/** A connection that could not be synced. */
interface LeftOut {
  connectionId: string;
  /** A sentence for a person. */
  message: string;
}

interface SyncRunFilter {
  page: number;
  per_page: number;
  connection_id?: string;
  status?: SyncStatus;
}

/** Requests, lists and cancels sync runs. A run is the record of the job with its id; a connection has one open job. */
@Injectable()
export class SyncRunsService implements OnModuleInit {
  constructor(
    private readonly em: EntityManager,
    private readonly jobs: JobQueue,
    private readonly budgets: RequestBudgetService,
    private readonly clock: Clock,
  ) {}

  async onModuleInit(): Promise<void> {
    await this.jobs.addQueue(GIVEN_UP_QUEUE, { ...OPTIONS, retryLimit: 1_000 });
    await this.jobs.addQueue(QUEUE, { ...OPTIONS, deadLetter: GIVEN_UP_QUEUE });
  }

  /**
   * Returns the open run of a connection, or makes one together with its job.
   *
   * @throws DomainError `rate_limit_exceeded` when a person requests a new one and the provider's limit is reached;
   * `record_not_found` when the connection was removed
   */
  async request(userId: string, connectionId: string, trigger: SyncTrigger): Promise<SyncRun> {
    return this.em.transactional(async (em) => {
      // Returned without waiting for the locks that a running sync holds while it writes.
      const running = await em.findOne(SyncRun, { userId, connectionId, status: 'running' });
      if (running) return running;
      await lockConnection(em, { userId, id: connectionId });
      const [made] = await this.enqueue(em, userId, [{ connectionId, trigger }]);
      const run = made ?? (await em.findOneOrFail(SyncRun, { userId, connectionId, ...OPEN }));
      const isHurried = !made && trigger === 'person' && mayBeDelayed(run);
      if (trigger === 'person' && (made || isHurried)) await this.budgets.assertRoomForSync(em, userId, connectionId);
      return isHurried ? this.#hurry(em, run) : run;
    });
  }

  /**
   * Makes runs and their jobs in the transaction of `em`, and wants the connections to be locked.
   *
   * @returns those of connections that had no open job
   */
  async enqueue(em: EntityManager, userId: string, wanted: readonly WantedRun[]): Promise<SyncRun[]> {
    const queuedAt = this.clock.now();
    const runs = wanted.map(({ connectionId, trigger }) =>
      Object.assign(new SyncRun(), {
        userId,
        id: randomUUID(),
        connectionId,
        trigger,
        status: 'queued',
        step: 'waiting',
        queuedAt,
      }),
    );
    const jobs = runs.map(({ id, connectionId }, index) => ({
      id,
      data: { userId, runId: id } satisfies SyncTask,
      singletonKey: connectionId,
      group: { id: userId },
      ...(wanted[index]!.startAfter && { startAfter: wanted[index]!.startAfter }),
    }));
    const added = await this.jobs.add(em, QUEUE, jobs);
    const made = runs.filter(({ id }) => added.has(id));
    if (made.length === 0) return [];
    // A queue that nobody works on forgets its jobs, and a restored database has none.
    await this.#endLost(em, { userId, connectionId: { $in: made.map(({ connectionId }) => connectionId) } });
    await em.persist(made).flush();
    noteRuns(made);
    return made;
  }

  /** Enqueues the sync that a vendor's push asks for, within the budget of the schedule. The connection is locked. */
  async enqueuePushed(em: EntityManager, connection: Connection): Promise<void> {
    const { userId, id: connectionId, updatedAt } = connection;
    const now = this.clock.now();
    const allowedAt = await this.budgets.scheduleAllowedAt(em, connection, now);
    const startAt = Math.max(updatedAt.getTime() + PUSH_PAUSE_MS, allowedAt?.getTime() ?? 0);
    const startAfter = Math.max(0, startAt - now.getTime()) / 1_000;
    await this.enqueue(em, userId, [{ connectionId, trigger: 'schedule', startAfter }]);
  }

  /** Ends the run of a job that failed at every attempt. */
  async giveUp({ userId, runId: id }: SyncTask): Promise<void> {
    await this.em.transactional((em) => this.#endLost(em, { userId, id }));
  }

  /** Ends open runs without a job. */
  async #endLost(em: EntityManager, which: FilterQuery<SyncRun>): Promise<void> {
    const lost = await em.find(SyncRun, { $and: [which, OPEN] }, { disableIdentityMap: true });
    for (const run of lost) {
      const { userId, id } = run;
      const end = { status: 'failed' as const, step: 'failed', problems: [INTERRUPTED], finishedAt: this.clock.now() };
      if ((await em.nativeUpdate(SyncRun, { userId, id, ...OPEN }, end)) > 0) noteEndedRuns([run]);
    }
  }

  /** Requests syncs of one connection, or of all active ones of all persons. A provider may allow no more requests. */
  async requestMany(connectionId: string | null): Promise<{ runs: SyncRun[]; leftOut: LeftOut[] }> {
    const wanted = connectionId ? { id: connectionId } : { status: 'active' as const };
    const connections = await reader(this.em).find(Connection, wanted, { orderBy: { userId: 'asc', id: 'asc' } });
    const runs: SyncRun[] = [];
    const leftOut: LeftOut[] = [];
    for (const { userId, id } of connections) {
      try {
        runs.push(await this.request(userId, id, 'person'));
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        leftOut.push({ connectionId: id, message: error.message });
      }
    }
    return { runs, leftOut };
  }

  find(userId: string, id: string): Promise<SyncRun | null> {
    return reader(this.em).findOne(SyncRun, { userId, id });
  }

  /** In the transaction of the caller. */
  findByIds(userId: string, ids: readonly string[]): Promise<SyncRun[]> {
    return this.em.find(SyncRun, { userId, id: { $in: [...ids] } }, { orderBy: { id: 'asc' } });
  }

  /** Newest first. */
  async listPage(userId: string, filter: SyncRunFilter): Promise<{ rows: SyncRun[]; totalCount: number }> {
    const where = {
      userId,
      ...(filter.connection_id && { connectionId: filter.connection_id }),
      ...(filter.status && { status: filter.status }),
    };
    const options = { orderBy: NEWEST_FIRST, limit: filter.per_page, offset: offsetOf(filter) };
    const [rows, totalCount] = await atOneMoment(this.em, (em) => em.findAndCount(SyncRun, where, options));
    return { rows, totalCount };
  }

  /**
   * Cancels a run if it is open. Its worker can write nothing more, on any instance; stored accounts stay.
   *
   * @returns the run as it is now; `null`: there is none
   */
  async cancel(userId: string, id: string): Promise<SyncRun | null> {
    await this.em.transactional(async (em) => {
      const run = await em.findOne(SyncRun, { userId, id }, { disableIdentityMap: true });
      if (run?.connectionId) await lockConnection(em, { userId, id: run.connectionId });
      await this.cancelOpen(em, { userId, id });
    });
    return this.find(userId, id);
  }

  /** Cancels a run, or that of a connection, if it is open. The connection is locked. */
  async cancelOpen(
    em: EntityManager,
    which: { userId: string } & ({ id: string } | { connectionId: string }),
  ): Promise<void> {
    const end = { status: 'cancelled' as const, step: 'cancelled', finishedAt: this.clock.now() };
    const [run] = await em.find(SyncRun, { ...which, ...OPEN }, { disableIdentityMap: true });
    if (!run || (await em.nativeUpdate(SyncRun, { ...which, ...OPEN }, end)) === 0) return;
    await this.jobs.cancel(em, QUEUE, run.id);
    noteEndedRuns([run]);
  }

  /** Starts a delayed run now, as a person wants it. */
  async #hurry(em: EntityManager, run: SyncRun): Promise<SyncRun> {
    const { userId, id } = run;
    await this.jobs.hurry(em, QUEUE, id);
    await em.nativeUpdate(SyncRun, { userId, id, status: 'queued' }, { trigger: 'person', step: 'waiting' });
    noteRuns([run]);
    return (await em.refresh(run)) ?? run;
  }
}

const INTERRUPTED = {
  kind: 'interrupted' as const,
  message: 'The sync was interrupted and has failed. Tidemark retries automatically.',
  accountId: null,
  accountExternalId: null,
};

/** Whether a run waits that the schedule may have put off. */
function mayBeDelayed({ status, trigger }: SyncRun): boolean {
  return status === 'queued' && trigger === 'schedule';
}
