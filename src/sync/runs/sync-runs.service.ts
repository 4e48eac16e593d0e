import { randomUUID } from 'node:crypto';
import { EntityManager, type InferClassEntityDB } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { DomainError, recordNotFound } from '../../errors/domain-error.js';
import { reader } from '../../database/reader.js';
import { Clock } from '../../time/clock.js';
import { noteEndedRuns, noteRuns, publishCancellation } from '../events/run-events.js';
import { Connection } from '../../connections/connection.entity.js';
import { RequestBudgetService } from '../../connections/request-budget.service.js';
import { SyncQueue } from '../queue/sync-queue.js';
import { NEWEST_FIRST, OPEN, OPEN_STATUSES, SyncRun, type SyncStatus, type SyncTrigger } from '../sync-run.entity.js';

type Tables = InferClassEntityDB<typeof Connection | typeof SyncRun>;

const FOREIGN_KEY_VIOLATION = '23503';

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
    const made = this.em.transactional(async (em) => {
      // Returned without waiting for the locks that a running sync holds while it writes.
      const running = await em.findOne(SyncRun, { userId, connectionId, status: 'running' });
      if (running) return running;
      await this.#lockForNewRun(em, userId, connectionId);
      const [id, jobId] = [randomUUID(), randomUUID()];
      // Raw, because a typed insert needs every column, those with a default included.
      const { numAffectedRows } = await sql`
        insert into sync_runs (user_id, id, connection_id, trigger, status, step, queued_at, job_id)
        values (${userId}, ${id}, ${connectionId}, ${trigger}, 'queued', 'waiting', ${this.clock.now()}, ${jobId})
        on conflict (user_id, connection_id) where status in ('queued', 'running') do nothing
      `.execute(em.getKysely());
      if (numAffectedRows === 0n) return this.#join(em, userId, connectionId, trigger);
      if (trigger === 'person') await this.budgets.assertRoomForSync(em, userId, connectionId);
      await this.queue.send(em, [{ userId, runId: id, jobId }]);
      noteRuns([{ userId, id, connectionId }]);
      return em.findOneOrFail(SyncRun, { userId, id });
    });
    const run = await made.catch((error: unknown) => {
      throw (error as { code?: unknown }).code === FOREIGN_KEY_VIOLATION ? recordNotFound('connection') : error;
    });
    // The open run has ended in between.
    return run ?? this.request(userId, connectionId, trigger);
  }

  /**
   * Requests syncs of one connection, or of all active ones of all persons.
   *
   * @param onRefused gets the error of each connection whose provider allows no more requests
   */
  async requestMany(connectionId: string | null, onRefused: (refusal: DomainError) => void): Promise<SyncRun[]> {
    const wanted = connectionId ? { id: connectionId } : { status: 'active' as const };
    const connections = await reader(this.em).find(Connection, wanted, { orderBy: { userId: 'asc', id: 'asc' } });
    const runs: SyncRun[] = [];
    for (const { userId, id } of connections) {
      try {
        runs.push(await this.request(userId, id, 'person'));
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        onRefused(error);
      }
    }
    return runs;
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
    const [rows, totalCount] = await reader(this.em).findAndCount(SyncRun, where, {
      orderBy: NEWEST_FIRST,
      limit: filter.per_page,
      offset: (filter.page - 1) * filter.per_page,
    });
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
   * Locks the open run and then the connection, which is the order of all transactions that lock both.
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
    await connections.where('user_id', '=', userId).where('id', '=', connectionId).forNoKeyUpdate().execute();
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
    await publishCancellation(em, run.id);
    noteEndedRuns([run]);
  }

  /** Returns the open run. A person's request starts a delayed one of the schedule at once. */
  async #join(em: EntityManager, userId: string, connectionId: string, trigger: SyncTrigger): Promise<SyncRun | null> {
    const run = await em.findOne(SyncRun, { userId, connectionId, ...OPEN });
    if (run?.status !== 'queued' || run.trigger !== 'schedule' || trigger !== 'person') return run;
    await this.budgets.assertRoomForSync(em, userId, connectionId);
    const jobId = randomUUID();
    const where = { userId, id: run.id, status: 'queued' as const, jobId: run.jobId };
    const changed = await em.nativeUpdate(SyncRun, where, { jobId, trigger, step: 'waiting' });
    if (changed === 0) return run;
    await this.queue.send(em, [{ userId, runId: run.id, jobId }]);
    if (run.jobId) await this.queue.cancel(em, run.jobId);
    noteRuns([run]);
    return em.refresh(run);
  }
}
