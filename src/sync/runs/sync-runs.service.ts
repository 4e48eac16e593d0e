import { randomUUID } from 'node:crypto';
import { EntityManager, type InferClassEntityDB } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { DomainError, recordNotFound } from '../../errors/domain-error.js';
import { notify } from '../../database/listener.js';
import { atOneMoment } from '../../database/one-moment.js';
import { reader } from '../../database/reader.js';
import { offsetOf } from '../../http/pagination/page.js';
import { Clock } from '../../time/clock.js';
import { CANCELLED_CHANNEL, noteEndedRuns, noteRuns } from '../events/run-events.js';
import { Connection } from '../../connections/connection.entity.js';
import { RequestBudgetService } from '../../connections/request-budget.service.js';
import { SyncQueue } from '../queue/sync-queue.js';
import { NEWEST_FIRST, OPEN, OPEN_STATUSES, SyncRun, type SyncStatus, type SyncTrigger } from '../sync-run.entity.js';

/** A connection that could not be synced. */
interface LeftOut {
  connectionId: string;
  /** A sentence for a person. */
  message: string;
}

type Tables = InferClassEntityDB<typeof Connection | typeof SyncRun>;

interface SyncRunFilter {
  page: number;
  per_page: number;
  connection_id?: string;
  status?: SyncStatus;
}

/** Requests, lists and cancels sync runs. A partial unique index allows one open run per connection. */
@Injectable()
export class SyncRunsService {
  constructor(
    private readonly em: EntityManager,
    private readonly queue: SyncQueue,
    private readonly budgets: RequestBudgetService,
    private readonly clock: Clock,
  ) {}

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
      await this.#lockForNewRun(em, userId, connectionId);
      const open = await em.findOne(SyncRun, { userId, connectionId, ...OPEN });
      if (trigger === 'person' && (open === null || mayBeDelayed(open)))
        await this.budgets.assertRoomForSync(em, userId, connectionId);
      return open ? this.#join(em, open, trigger) : this.#make(em, userId, connectionId, trigger);
    });
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
    await this.em.transactional((em) => this.cancelOpen(em, { userId, id }));
    return this.find(userId, id);
  }

  /**
   * Locks the open run and then the connection, which is the order of all transactions that lock both. While the
   * connection is locked, nobody else adds a run.
   *
   * @throws DomainError `record_not_found`
   */
  async #lockForNewRun(em: EntityManager, userId: string, connectionId: string): Promise<void> {
    await em
      .getKysely<Tables>()
      .selectFrom('sync_runs')
      .select('id')
      .where('user_id', '=', userId)
      .where('connection_id', '=', connectionId)
      .where('status', 'in', OPEN_STATUSES)
      .forUpdate()
      .execute();
    const connections = em.getKysely<Tables>().selectFrom('connections').select('id');
    const locked = connections.where('user_id', '=', userId).where('id', '=', connectionId).forNoKeyUpdate();
    if (!(await locked.executeTakeFirst())) throw recordNotFound('connection');
  }

  /** Cancels a run, or that of a connection, if it is open. Other locks of the transaction of `em` come before. */
  async cancelOpen(
    em: EntityManager,
    which: { userId: string } & ({ id: string } | { connectionId: string }),
  ): Promise<void> {
    const end = { status: 'cancelled' as const, step: 'cancelled', finishedAt: this.clock.now() };
    const [run] = await em.find(SyncRun, { ...which, ...OPEN }, { disableIdentityMap: true });
    if (!run || (await em.nativeUpdate(SyncRun, { ...which, ...OPEN }, end)) === 0) return;
    if (run.jobId) await this.queue.cancel(em, run.jobId);
    await notify(em, CANCELLED_CHANNEL, run.id);
    noteEndedRuns([run]);
  }

  async #make(em: EntityManager, userId: string, connectionId: string, trigger: SyncTrigger): Promise<SyncRun> {
    const jobId = randomUUID();
    const run = Object.assign(new SyncRun(), {
      userId,
      id: randomUUID(),
      connectionId,
      trigger,
      status: 'queued',
      step: 'waiting',
      queuedAt: this.clock.now(),
      jobId,
    });
    await em.persist(run).flush();
    await this.queue.send(em, [{ userId, runId: run.id, jobId }]);
    noteRuns([run]);
    return run;
  }

  /** Returns the open run. A person's request starts a delayed one at once. */
  async #join(em: EntityManager, run: SyncRun, trigger: SyncTrigger): Promise<SyncRun> {
    if (trigger !== 'person' || !mayBeDelayed(run)) return run;
    const { userId, id, jobId: delayedJobId } = run;
    const jobId = randomUUID();
    const where = { userId, id, status: 'queued' as const, jobId: delayedJobId };
    if ((await em.nativeUpdate(SyncRun, where, { jobId, trigger, step: 'waiting' })) === 0) return run;
    await this.queue.send(em, [{ userId, runId: id, jobId }]);
    if (delayedJobId) await this.queue.cancel(em, delayedJobId);
    noteRuns([run]);
    return (await em.refresh(run)) ?? run;
  }
}

/** Whether a run waits that the schedule may have put off. */
function mayBeDelayed({ status, trigger }: SyncRun): boolean {
  return status === 'queued' && trigger === 'schedule';
}
