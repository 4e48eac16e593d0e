import { setTimeout as wait } from 'node:timers/promises';
import { EntityManager, type InferClassEntityDB } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Connection } from '../connections/connection.entity.js';
import { ClockCheck } from '../../database/clock-check.service.js';
import type { Job } from '../jobs/job-queue.js';
import { Clock } from '../../platform/time/clock.js';
import { noteEndedRuns, noteProgress, noteRuns } from '../events/run-events.js';
import { OPEN_STATUSES, SyncRun } from '../sync-run.entity.js';

type Tables = InferClassEntityDB<typeof Connection | typeof SyncRun>;

/** A worker that freezes inside a transaction holds its locks no longer than this. */
const STUCK_SECONDS = 20;
/** How long progress may wait until it is written. Nobody can follow faster changes. */
const PROGRESS_INTERVAL_MS = 500;
const interval = (): Promise<unknown> => wait(PROGRESS_INTERVAL_MS, undefined, { ref: false });

/** The data of a job, which has the id of its run. */
export interface SyncTask {
  userId: string;
  runId: string;
}

export type SyncJob = Job<SyncTask>;

/** What a worker may change in its run. */
export type RunChanges = Partial<Omit<SyncRun, 'userId' | 'id' | 'attempt' | 'eventId'>>;

/** Work in the transaction of a write. @returns what it changes in the run */
type FencedWork = (em: EntityManager) => Promise<RunChanges> | RunChanges;

/** A later attempt has the run, it was cancelled, or its connection was removed. Nothing may be written. */
export class RunOverError extends Error {
  override readonly name = 'RunOverError';
}

/**
 * One attempt of a job at its run. Its number is a fencing token: only the newest attempt of an open run may write. So a
 * worker that was replaced while it was frozen changes nothing when it wakes up.
 */
export class RunAttempt {
  /** Writes come one after the other, so that none is overwritten by an older one. */
  #last: Promise<unknown> = Promise.resolve();
  /** Progress that no write has stored yet. */
  #unwritten: RunChanges = {};
  #willWrite = false;
  readonly #over = new AbortController();

  constructor(
    private readonly em: EntityManager,
    readonly job: SyncJob,
    /** With the changes of this worker. */
    readonly run: SyncRun,
    private readonly pause: typeof interval,
    private readonly clockCheck: ClockCheck,
  ) {}

  /** Aborted when there is nothing left to do for the run. */
  get signal(): AbortSignal {
    return this.#over.signal;
  }

  /** @param reason what the work under way fails with */
  abandon(reason: Error): void {
    this.#over.abort(reason);
  }

  /**
   * Writes in one transaction that locks the connection and the run first, so that nobody takes over or cancels the run or
   * removes its connection meanwhile. Changes that `work` returns are written to the run, with the progress so far.
   *
   * @throws RunOverError without having written anything
   */
  write(work: FencedWork): Promise<void> {
    return this.#inTurn(async () => {
      await this.clockCheck.requireRight();
      await this.#write(work);
    });
  }

  /** The same for what has no time, and would be lost: a wrong clock does not matter. */
  writeUndated(work: FencedWork): Promise<void> {
    return this.#inTurn(() => this.#write(work));
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }

  async #write(work: FencedWork): Promise<void> {
    const { userId, id } = this.run;
    const progress = this.#unwritten;
    this.#unwritten = {};
    try {
      const changes = await this.em.transactional(async (em) => {
        await this.#fence(em);
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
      .catch((error: unknown) => (error instanceof RunOverError ? this.abandon(error) : undefined));
  }

  async #writeProgress(): Promise<void> {
    this.#willWrite = false;
    if (Object.keys(this.#unwritten).length > 0) await this.#write(() => ({}));
  }

  async #fence(em: EntityManager): Promise<void> {
    const { userId, id, attempt, connectionId } = this.run;
    const held = await em
      .getKysely<Tables>()
      .selectFrom('connections')
      .innerJoin('sync_runs', (on) =>
        on
          .onRef('sync_runs.user_id', '=', 'connections.user_id')
          .onRef('sync_runs.connection_id', '=', 'connections.id'),
      )
      .select((eb) =>
        eb
          .fn('set_config', [eb.val('idle_in_transaction_session_timeout'), eb.val(`${STUCK_SECONDS}s`), eb.lit(true)])
          .as('timeout'),
      )
      .where('connections.user_id', '=', userId)
      .where('connections.id', '=', connectionId!)
      .where('sync_runs.id', '=', id)
      .where('sync_runs.attempt', '=', attempt)
      .where('sync_runs.status', '=', 'running')
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!held) throw new RunOverError('the run is over, or another worker has it');
  }
}

/** Begins the attempts of jobs. */
@Injectable()
export class RunAttempts {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly clockCheck: ClockCheck,
  ) {}

  /**
   * @param pause between two writes of progress
   * @returns `null`: the run is over, or a later attempt has it
   */
  async begin(job: SyncJob, pause = interval): Promise<RunAttempt | null> {
    const { userId, runId } = job.data;
    const attempt = job.retryCount + 1;
    const now = this.clock.now();
    const run = await this.em.transactional(async (em) => {
      const { numUpdatedRows } = await em
        .getKysely<Tables>()
        .updateTable('sync_runs')
        .set((eb) => ({
          status: 'running',
          attempt,
          accounts_done: 0,
          accounts_total: null,
          step: attempt === 1 ? 'starting' : 'starting again',
          started_at: eb.fn.coalesce('started_at', eb.val(now)),
        }))
        .where('user_id', '=', userId)
        .where('id', '=', runId)
        .where('attempt', '<', attempt)
        .where('status', 'in', OPEN_STATUSES)
        .where('connection_id', 'is not', null)
        .executeTakeFirstOrThrow();
      if (numUpdatedRows === 0n) return null;
      noteProgress({ userId, id: runId });
      // Apart from the identity map, because statements write what changes in it.
      return em.findOneOrFail(SyncRun, { userId, id: runId }, { disableIdentityMap: true });
    });
    return run && new RunAttempt(this.em, job, run, pause, this.clockCheck);
  }
}
