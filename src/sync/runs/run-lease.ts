import { setTimeout as wait } from 'node:timers/promises';
import type { EntityManager, InferClassEntityDB } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { noteProgress, noteRuns } from '../events/note-runs.js';
import type { SyncJob } from '../queue/sync-queue.js';
import { OPEN_STATUSES, SyncRun } from '../sync-run.entity.js';

type Tables = InferClassEntityDB<typeof SyncRun>;

/** A worker that stops half way through a transaction, frozen or cut off, holds up the next one for so long. */
const STUCK_SECONDS = 20;
/** Who watches can read a few lines a second. */
const LINE_MS = 200;
const aLine = (signal: AbortSignal): Promise<unknown> => wait(LINE_MS, undefined, { ref: false, signal });

/** What a worker changes in its run. */
export type RunChanges = Partial<Omit<SyncRun, 'userId' | 'id' | 'attempt' | 'jobId' | 'eventId'>>;

/** Somebody else has this run now, or it is over: cancelled, or its connection is gone. Nothing may be written. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/**
 * The right to write for a run. Every taking up has a new number, and a write counts only while its number is the
 * newest: a worker that was given up for dead, and wakes up again, changes nothing.
 */
export class RunLease {
  #told: Promise<unknown> = Promise.resolve();
  #untold: RunChanges | null = null;
  #settling = new AbortController();

  private constructor(
    private readonly em: EntityManager,
    /** As this worker knows it; what differs in the database was written by it. */
    readonly run: SyncRun,
    private readonly pause: typeof aLine,
  ) {}

  /**
   * Takes a run up, or up again after its worker died.
   *
   * @param pause what lies between two lines of progress
   * @returns `null` when there is nothing to do: the run is over, or another job stands for it
   */
  static async take(
    em: EntityManager,
    { userId, runId, jobId }: SyncJob,
    now: Date,
    pause = aLine,
  ): Promise<RunLease | null> {
    const run = await em.transactional(async (em) => {
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
      const taken = await em.findOne(SyncRun, key, { disableIdentityMap: true });
      if (taken) noteProgress(taken);
      return taken;
    });
    return run && new RunLease(em, run, pause);
  }

  /**
   * Writes in one transaction, and only while the lease lasts: the run is locked first, so that nobody takes it over,
   * cancels it or deletes its connection in between. What `work` returns is changed in the run itself.
   *
   * @throws LeaseLost when it does not last any more; nothing was written
   */
  async write(work: (em: EntityManager) => Promise<RunChanges> | RunChanges): Promise<void> {
    const { userId, id } = this.run;
    const changes = await this.em.transactional(async (em) => {
      await this.#hold(em);
      const changes = await work(em);
      await em.nativeUpdate(SyncRun, { userId, id }, changes);
      if (changes.status) noteRuns([this.run]);
      else noteProgress(this.run);
      return changes;
    });
    Object.assign(this.run, changes);
  }

  /**
   * Tells how far the run is, in the order of telling and without being waited for. What is told right after another line
   * goes into one: of a provider that answers at once, nobody could read them all.
   */
  progress(changes: RunChanges, onLost: () => void): void {
    const isUnderWay = this.#untold !== null;
    this.#untold = { ...this.#untold, ...changes };
    if (isUnderWay) return;
    this.#told = this.#told
      .then(() => this.#tell())
      // A line that gets lost is no trouble of the sync.
      .catch((error: unknown) => (error instanceof LeaseLost ? onLost() : undefined))
      .then(() => this.pause(this.#settling.signal))
      .catch(() => undefined);
  }

  /** Waits until everything told is written, or has failed to be. */
  async settled(): Promise<void> {
    this.#settling.abort();
    await this.#told;
    this.#settling = new AbortController();
  }

  #tell(): Promise<void> {
    const changes = this.#untold!;
    this.#untold = null;
    return this.write(() => changes);
  }

  async #hold(em: EntityManager): Promise<void> {
    const { userId, id, attempt, connectionId } = this.run;
    const timeout = sql`set_config('idle_in_transaction_session_timeout', ${`${STUCK_SECONDS}s`}, true)`;
    const held = await em
      .getKysely<Tables>()
      .selectFrom('sync_runs')
      .select(timeout.as('timeout'))
      .where('user_id', '=', userId)
      .where('id', '=', id)
      .where('attempt', '=', attempt)
      .where('status', '=', 'running')
      .where('connection_id', '=', connectionId)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!held) throw new LeaseLost('the run is over, or another worker has it');
  }
}
