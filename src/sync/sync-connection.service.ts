import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import type { BankSnapshot } from '../providers/bank-provider.js';
import { ProviderError } from '../providers/provider-error.js';
import { Config } from '../platform/config/config.js';
import type { Connection } from './connections/connection.entity.js';
import { databaseFailure } from '../http/errors/database-failure.js';
import { problemsOf } from './ingest/account-changes.js';
import { IngestAccountService } from './ingest/ingest-account.service.js';
import { hasAnswered, markMissingAccounts, verifyCredentialOwner } from './ingest/listed-accounts.js';
import { withLogFields } from '../platform/logging/logger.js';
import { TracingService } from '../platform/tracing/tracing.service.js';
import { JobQueue } from './jobs/job-queue.js';
import { withAbortScope } from '../platform/time/abort-scope.js';
import { Clock } from '../platform/time/clock.js';
import { AccountIngestQueue, isRunOver } from './account-ingest-queue.js';
import { type PreparedSync, PrepareSyncService } from './prepare-sync.service.js';
import { type RunAttempt, RunAttempts, type SyncJob, type SyncTask } from './runs/run-attempt.js';
import { RunOutcomeService } from './runs/run-outcome.service.js';
import { GIVEN_UP_QUEUE, QUEUE, SyncRunsService } from './runs/sync-runs.service.js';

/** For retried and delayed jobs; workers are notified of others. */
const POLL_SECONDS = 2;
const POLL_GIVEN_UP_SECONDS = 10;

/** Runs syncs: prepares one, asks the provider, writes the accounts that come, and ends the run. */
@Injectable()
export class SyncConnectionService implements OnApplicationBootstrap {
  readonly #log = new Logger('Sync');

  constructor(
    private readonly em: EntityManager,
    private readonly jobs: JobQueue,
    private readonly runs: SyncRunsService,
    private readonly attempts: RunAttempts,
    private readonly preparation: PrepareSyncService,
    private readonly ingestAccount: IngestAccountService,
    private readonly outcome: RunOutcomeService,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly tracing: TracingService,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const { syncConcurrency } = this.config;
    const options = {
      pollingIntervalSeconds: POLL_SECONDS,
      localConcurrency: syncConcurrency,
      // A person whose providers never answer must not block all others.
      localGroupConcurrency: Math.ceil(syncConcurrency / 2),
    };
    await this.jobs.work<SyncTask>(QUEUE, options, (job, signal) => this.run(job, signal));
    const rarely = { pollingIntervalSeconds: POLL_GIVEN_UP_SECONDS };
    await this.jobs.work<SyncTask>(GIVEN_UP_QUEUE, rarely, ({ data }) => this.runs.giveUp(data));
  }

  /** Runs one job: one sync of one connection. */
  async run(job: SyncJob, jobSignal: AbortSignal): Promise<void> {
    const attempt = await this.attempts.begin(job);
    if (!attempt) return;
    const { id, connectionId } = attempt.run;
    const span = { name: 'sync', attributes: { 'tidemark.sync': id } };
    await withAbortScope({ signals: [jobSignal, attempt.signal] }, (signal) =>
      withLogFields({ sync: id, connection: connectionId }, () =>
        this.tracing.trace(span, () => this.#sync(attempt, signal)),
      ),
    );
  }

  /**
   * Runs the steps of a sync, and decides how it ends.
   *
   * @param signal aborted when the instance stops, the run is cancelled, or another worker has it
   */
  async #sync(attempt: RunAttempt, signal: AbortSignal): Promise<void> {
    let sync: PreparedSync | null = null;
    try {
      sync = await this.preparation.prepare(attempt);
      if (sync) await this.#fetchAndWrite(sync, signal);
    } catch (error) {
      if (isRunOver(error)) this.#logStopped(error);
      else if (signal.aborted || isDatabaseUnavailable(error)) await this.#retry(attempt, error);
      else await this.#endFailed(attempt, sync?.connection ?? null, error);
    }
  }

  async #fetchAndWrite(sync: PreparedSync, signal: AbortSignal): Promise<void> {
    const { attempt, connection } = sync;
    const queue = new AccountIngestQueue(this.em, sync, signal, this.clock, this.outcome, this.ingestAccount);
    const snapshot = await this.#fetch(sync, queue, signal);
    await verifyCredentialOwner(this.em, connection, snapshot);
    // The accounts that were not written during the fetch.
    queue.accountsTotal = snapshot.accounts.length;
    for (const account of snapshot.accounts) queue.add(account);
    await queue.finish();
    await this.outcome.end(attempt, connection, this.outcome.done(snapshot, queue), (em) =>
      markMissingAccounts(em, connection, snapshot, this.clock.now()),
    );
  }

  /** Writes accounts while the provider still fetches others, unless its credential must first be verified. */
  async #fetch(sync: PreparedSync, queue: AccountIngestQueue, signal: AbortSignal): Promise<BankSnapshot> {
    const { attempt, connection, accounts } = sync;
    const { provider } = sync.installed;
    const request = this.preparation.request(sync);
    const writesEarly = accounts.length === 0 || hasAnswered(connection);
    const { syncDeadlineMs: timeoutMs } = this.config;
    const scope = { signals: [signal], timeoutMs, timeoutReason: () => tookTooLong(timeoutMs) };
    const snapshot = await withAbortScope(scope, (signal) =>
      provider.fetchSnapshot({
        ...request,
        signal,
        onProgress: ({ step, accountsTotal }) => {
          queue.accountsTotal = accountsTotal;
          attempt.progress({ step, accountsTotal });
        },
        onAccount: (account) => writesEarly && queue.add(account),
      }),
    ).finally(() => queue.finish());
    connection.serverVersions = snapshot.serverVersions ?? connection.serverVersions;
    connection.externalId = snapshot.externalId ?? connection.externalId;
    if (snapshot.accessUntil !== undefined) connection.accessUntil = snapshot.accessUntil;
    return { ...snapshot, problems: problemsOf(snapshot, accounts, request) };
  }

  /**
   * Fails the job, so that the next worker starts again, and shows it where the database can be written. A worker that was
   * frozen finds its session lost, and only then that another one has the run.
   */
  async #retry(attempt: RunAttempt, error: unknown): Promise<void> {
    try {
      await attempt.writeUndated(() => ({ status: 'queued', step: 'interrupted, retried in a moment' }));
    } catch (failure) {
      if (isRunOver(failure)) return this.#logStopped(failure);
    }
    throw error;
  }

  #logStopped({ message }: Error): void {
    this.#log.log(`Sync stopped: ${message}`);
  }

  /** The run is retried if even its failure cannot be stored. */
  async #endFailed(attempt: RunAttempt, used: Connection | null, error: unknown): Promise<void> {
    const outcome = this.outcome.failed(error);
    try {
      await this.outcome.end(attempt, used, outcome);
    } catch (failure) {
      // Another worker has the run, so that its failure here does not matter.
      if (isRunOver(failure)) return this.#logStopped(failure);
      this.outcome.log(outcome);
      await this.#retry(attempt, failure);
    }
  }
}

/** The end of a deadline is a network error, after which a provider keeps what it has fetched. The next sync fetches the rest. */
function tookTooLong(timeoutMs: number): ProviderError {
  const minutes = Math.max(1, Math.round(timeoutMs / 60_000));
  const limit = `${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`;
  const message = `The provider did not deliver everything within ${limit}, the limit of a sync. The next sync fetches the rest.`;
  return new ProviderError('network', message);
}

/** Whether the database failed for a moment. The network errors of a provider have causes with the same codes. */
function isDatabaseUnavailable(error: unknown): boolean {
  return !(error instanceof ProviderError) && databaseFailure(error)?.code === 'unavailable';
}
