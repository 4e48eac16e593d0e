import { randomUUID } from 'node:crypto';
import { EntityManager } from '@mikro-orm/postgresql';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Interval, SchedulerRegistry } from '@nestjs/schedule';
import { sql } from 'kysely';
import { ClockCheck } from '../../database/clock-check.service.js';
import { notify } from '../../database/listener.js';
import { Clock } from '../../time/clock.js';
import { CANCELLED_CHANNEL, noteEndedRuns, noteRuns } from '../events/run-events.js';
import { givenUpProblem } from './run-outcome.service.js';
import { MAX_ATTEMPTS, QUEUE, SyncQueue } from '../queue/sync-queue.js';
import { OPEN, SyncRun } from '../sync-run.entity.js';

const INTERVAL = 'stale-runs';
const INTERVAL_MS = 5_000;
/** What the log says of each repair, by the new status. */
const REPAIRS = {
  queued: 'Requeued a stale sync',
  failed: 'A stale sync failed after too many attempts',
  cancelled: 'Cancelled a stale sync',
};

interface OpenRun extends Pick<
  SyncRun,
  'userId' | 'id' | 'jobId' | 'attempt' | 'status' | 'lostLeases' | 'connectionId'
> {
  /** `null`: the job is missing or has ended. */
  jobState: 'created' | 'retry' | 'active' | null;
}

type Repair = Partial<SyncRun> & { status: keyof typeof REPAIRS };

/**
 * Repairs stale open runs. A run whose worker died is queued again, one without a job gets a new one or fails after too
 * many attempts, and one without a connection is cancelled. It runs on instances of every role, because any may be the
 * last one.
 */
@Injectable()
export class StaleRunReaper implements BeforeApplicationShutdown {
  readonly #log = new Logger(StaleRunReaper.name);
  #reaping: Promise<void> = Promise.resolve();

  constructor(
    private readonly em: EntityManager,
    private readonly queue: SyncQueue,
    private readonly clock: Clock,
    private readonly registry: SchedulerRegistry,
    private readonly clockCheck: ClockCheck,
  ) {}

  @Interval(INTERVAL, INTERVAL_MS)
  async reapRegularly(): Promise<void> {
    if (this.clockCheck.problem) return;
    this.#reaping = this.reap().catch((error: unknown) => {
      this.#log.warn(`Requeuing stale syncs failed; retrying: ${String(error)}`);
    });
    await this.#reaping;
  }

  /** Waits for the database work under way. */
  async beforeApplicationShutdown(): Promise<void> {
    if (this.registry.doesExist('interval', INTERVAL)) this.registry.deleteInterval(INTERVAL);
    await this.#reaping;
  }

  /** Finds stale runs and repairs each. */
  async reap(): Promise<void> {
    // Raw, because pg-boss owns the other table.
    const { rows } = await sql<OpenRun>`
      select run.user_id as "userId", run.id, run.job_id as "jobId", run.attempt, run.status,
        run.lost_leases as "lostLeases", run.connection_id as "connectionId", job.state as "jobState"
      from sync_runs run
      left join (
        select id, state::text from pgboss.job where name = ${QUEUE} and state in ('created', 'retry', 'active')
      ) job on job.id = run.job_id
      where run.status in ('queued', 'running')
        and (run.connection_id is null or job.id is null or (run.status = 'running' and job.state = 'retry'))
    `.execute(this.em.getKysely());
    for (const run of rows) {
      const lostLeases = run.lostLeases + (run.status === 'running' ? 1 : 0);
      if (run.connectionId === null)
        await this.#change(run, { status: 'cancelled', step: 'cancelled', finishedAt: this.clock.now() });
      else if (run.jobState === null && run.attempt > MAX_ATTEMPTS)
        // The run alone, because its failure could not be stored together with the connection.
        await this.#change(run, {
          status: 'failed',
          step: 'failed',
          problems: [givenUpProblem({ attempt: run.attempt, lostLeases })],
          finishedAt: this.clock.now(),
        });
      else if (run.jobState === null)
        await this.#change(run, { status: 'queued', step: 'waiting', lostLeases, jobId: randomUUID() });
      else await this.#change(run, { status: 'queued', step: 'interrupted, retried in a moment', lostLeases });
    }
  }

  /** Changes the run only if nobody else has changed it since it was read. */
  async #change({ userId, id, connectionId, jobId, attempt }: OpenRun, changes: Repair): Promise<void> {
    const changed = await this.em.transactional(async (em) => {
      const seen = { userId, id, jobId, attempt, ...OPEN };
      if ((await em.nativeUpdate(SyncRun, seen, changes)) === 0) return false;
      if (changes.jobId) await this.queue.send(em, [{ userId, runId: id, jobId: changes.jobId }]);
      if (changes.jobId && jobId) await this.queue.cancel(em, jobId);
      if (changes.status === 'cancelled') await notify(em, CANCELLED_CHANNEL, id);
      const note = changes.finishedAt ? noteEndedRuns : noteRuns;
      note([{ userId, id, connectionId }]);
      return true;
    });
    if (changed) this.#log.warn({ message: REPAIRS[changes.status], sync: id });
  }
}
