import { setTimeout as wait } from 'node:timers/promises';
import { EntityManager, type InferClassEntityDB } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { ClockCheck } from '../../database/clock-check.service.js';
import { DatabaseListener } from '../../database/listener.js';
import { CANCELLED_CHANNEL, noteEndedRuns, noteProgress, noteRuns } from '../events/run-events.js';
import type { SyncJob } from '../queue/sync-queue.js';
import { Clock } from '../../time/clock.js';
import { OPEN_STATUSES, SyncRun } from '../sync-run.entity.js';

type Tables = InferClassEntityDB<typeof SyncRun>;

/** A worker that freezes inside a transaction holds its locks no longer than this. */
const STUCK_SECONDS = 20;
/** How long progress may wait until it is written. Nobody can follow faster changes. */
const PROGRESS_INTERVAL_MS = 500;
const interval = (): Promise<unknown> => wait(PROGRESS_INTERVAL_MS, undefined, { ref: false });

/** What a worker may change in its run. */
export type RunChanges = Partial<Omit<SyncRun, 'userId' | 'id' | 'attempt' | 'jobId' | 'eventId'>>;

/** Work in the transaction of a write. @returns what it changes in the run */
type LeasedWork = (em: EntityManager) => Promise<RunChanges> | RunChanges;

/**
 * Another worker has acquired the run, it was cancelled, its connection was removed, or the clock is wrong. Nothing may be
 * written.
 */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError';
}

/**
 * The right to write for a run. Each acquisition has a new number (a fencing token), and only the newest may write. So
 * a worker that was replaced while it was frozen changes nothing when it wakes up.
 */
export class RunLease {
  /** Writes come one after the other, so that none is overwritten by an older one. */
  #last: Promise<unknown> = Promise.resolve();
  /** Progress that no write has stored yet. */
  #unwritten: RunChanges = {};
  #willWrite = false;
  readonly #over = new AbortController();

  constructor(
    private readonly em: EntityManager,
    /** With the changes of this worker. */
    readonly run: SyncRun,
    private readonly pause: typeof interval,
    private readonly clockCheck: ClockCheck,
  ) {}

  /** Aborted when there is nothing left to do for the run: it was cancelled, or another worker has acquired it. */
  get signal(): AbortSignal {
    return this.#over.signal;
  }

  /** @param reason what the work under way fails with */
  abandon(reason: Error): void {
    this.#over.abort(reason);
  }

  /**
   * Writes in one transaction that locks the run first, so that nobody acquires or cancels it or deletes its connection
   * meanwhile. Changes that `work` returns are written to the run, with the progress so far.
   *
   * @throws LeaseLostError without having written anything
   */
  write(work: LeasedWork): Promise<void> {
    return this.#inTurn(async () => {
      if (this.clockCheck.problem) throw new LeaseLostError(this.clockCheck.problem);
      await this.#write(work);
    });
  }

  /** The same for what has no time, and would be lost: a wrong clock does not matter. */
  writeUndated(work: LeasedWork): Promise<void> {
    return this.#inTurn(() => this.#write(work));
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }

  async #write(work: LeasedWork): Promise<void> {
    const { userId, id } = this.run;
    const progress = this.#unwritten;
    this.#unwritten = {};
    try {
      const changes = await this.em.transactional(async (em) => {
        await this.#lock(em);
        const changes = await work(em);
        await em.nativeUpdate(SyncRun, { userId, id }, { ...progress, ...changes });
        if (changes.finishedAt) noteEndedRuns([this.run]);
        else if (changes.status) noteRuns([this.run]);
        else noteProgress(this.run);
        return changes;
      });
      Object.assign(this.run, changes);
    } catch (error) {
      this.#unwritten = { ...progress, ...this.#unwritten };
      throw error;
    }
  }

  /**
   * Notes progress. The next write stores it, or one in the background if none comes for an interval. Lost progress does
   * not fail the sync.
   */
  progress(changes: RunChanges): void {
    Object.assign(this.run, changes);
    Object.assign(this.#unwritten, changes);
    if (this.#willWrite) return;
    this.#willWrite = true;
    void this.pause()
      .then(() => this.#inTurn(() => this.#writeProgress()))
      .catch((error: unknown) => (error instanceof LeaseLostError ? this.abandon(error) : undefined));
  }

  async #writeProgress(): Promise<void> {
    this.#willWrite = false;
    if (Object.keys(this.#unwritten).length > 0) await this.#write(() => ({}));
  }

  async #lock(em: EntityManager): Promise<void> {
    const { userId, id, attempt, connectionId } = this.run;
    const held = await em
      .getKysely<Tables>()
      .selectFrom('sync_runs')
      .select((eb) =>
        eb
          .fn('set_config', [eb.val('idle_in_transaction_session_timeout'), eb.val(`${STUCK_SECONDS}s`), eb.lit(true)])
          .as('timeout'),
      )
      .where('user_id', '=', userId)
      .where('id', '=', id)
      .where('attempt', '=', attempt)
      .where('status', '=', 'running')
      .where('connection_id', '=', connectionId)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!held) throw new LeaseLostError('the run is over, or another worker has it');
  }
}

/** Gives workers the leases of runs. */
@Injectable()
export class RunLeases {
  /** The leases of this process, by run. */
  readonly #held = new Map<string, RunLease>();

  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly clockCheck: ClockCheck,
    listener: DatabaseListener,
  ) {
    // A worker that misses a message notices at its next write.
    const onMessage = (runId: string) => this.#held.get(runId)?.abandon(new LeaseLostError('the run was cancelled'));
    listener.subscribe(CANCELLED_CHANNEL, { onMessage });
  }

  /**
   * Works with the lease of a run, unless the run is over or belongs to another job. A cancellation aborts its signal.
   * While the clock is wrong nothing is begun, and the run is queued again for an instance whose clock is right.
   */
  async withLease(job: SyncJob, work: (lease: RunLease) => Promise<void>): Promise<void> {
    const lease = this.clockCheck.problem ? null : await this.acquire(job);
    if (!lease) return;
    this.#held.set(job.runId, lease);
    try {
      await work(lease);
    } finally {
      // A later worker of this process may have it already.
      if (this.#held.get(job.runId) === lease) this.#held.delete(job.runId);
    }
  }

  /**
   * Acquires the lease of a run, also when its previous worker died.
   *
   * @param pause between two writes of progress
   * @returns `null`: the run is over, or belongs to another job
   */
  async acquire({ userId, runId, jobId }: SyncJob, pause = interval): Promise<RunLease | null> {
    const now = this.clock.now();
    const run = await this.em.transactional(async (em) => {
      await em
        .getKysely<Tables>()
        .updateTable('sync_runs')
        .set((eb) => ({
          status: 'running',
          attempt: eb('attempt', '+', 1),
          lost_leases: eb('lost_leases', '+', eb.cast<number>(eb('status', '=', 'running'), 'integer')),
          accounts_done: 0,
          accounts_total: null,
          step: eb.case().when('attempt', '=', 0).then('starting').else('starting again').end(),
          started_at: eb.fn.coalesce('started_at', eb.val(now)),
        }))
        .where('user_id', '=', userId)
        .where('id', '=', runId)
        .where('job_id', '=', jobId)
        .where('status', 'in', OPEN_STATUSES)
        .where('connection_id', 'is not', null)
        .execute();
      const key = { userId, id: runId, jobId, status: 'running' as const };
      // Apart from the identity map, because statements write what changes in it.
      const acquired = await em.findOne(SyncRun, key, { disableIdentityMap: true });
      if (acquired) noteProgress(acquired);
      return acquired;
    });
    return run && new RunLease(this.em, run, pause, this.clockCheck);
  }
}
