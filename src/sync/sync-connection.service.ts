import { setTimeout as wait } from 'node:timers/promises';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import type { BankSnapshot } from '../bank-provider/bank-provider.js';
import { ProviderError } from '../bank-provider/provider-error.js';
import { Config } from '../config/config.js';
import type { Connection } from '../connections/connection.entity.js';
import { usingSessionsFor } from '../database/sessions/bounded-client.js';
import { databaseFailure } from '../http/errors/database-failure.js';
import { IngestAccountService } from '../ingest/ingest-account.service.js';
import { hasAnswered, markMissingAccounts, verifyCredentialOwner } from '../ingest/listed-accounts.js';
import { completeAllWithKnownHistory, completeWithKnownHistory } from '../ingest/queries/history-coverage.queries.js';
import { withLogFields } from '../observability/logging/logger.js';
import { TracingService } from '../observability/tracing/tracing.service.js';
import { withAbortScope } from '../time/abort-scope.js';
import { Clock } from '../time/clock.js';
import { AccountIngestQueue, isRunOver } from './account-ingest-queue.js';
import { type PreparedSync, PrepareSyncService } from './prepare-sync.service.js';
import { MAX_ATTEMPTS, MAX_LOST_LEASES, type SyncJob, type SyncJobHandler } from './queue/sync-queue.js';
import { LeaseLostError, type RunLease, RunLeases } from './runs/run-lease.js';
import { RunOutcomeService } from './runs/run-outcome.service.js';
import type { SyncRun } from './sync-run.entity.js';
import { withDeadline } from './with-deadline.js';

/** Between two attempts to requeue a run while the database is away. */
const REQUEUE_PAUSE_MS = 1_000;

/** Runs syncs: prepares one, asks the provider, writes the accounts that come, and ends the run. */
@Injectable()
export class SyncConnectionService implements SyncJobHandler {
  readonly #log = new Logger('Sync');

  constructor(
    private readonly em: EntityManager,
    private readonly leases: RunLeases,
    private readonly preparation: PrepareSyncService,
    private readonly ingestAccount: IngestAccountService,
    private readonly outcome: RunOutcomeService,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly tracing: TracingService,
  ) {}

  /** Runs one job: one sync of one connection. */
  run(job: SyncJob, jobSignal: AbortSignal): Promise<void> {
    const span = { name: 'sync', attributes: { 'tidemark.sync': job.runId } };
    return usingSessionsFor('background', () =>
      this.leases.withLease(job, (lease) =>
        withAbortScope({ signals: [jobSignal, lease.signal] }, (signal) =>
          withLogFields({ sync: job.runId, connection: lease.run.connectionId }, () =>
            this.tracing.trace(span, () => this.#sync(lease, signal, jobSignal)),
          ),
        ),
      ),
    );
  }

  /**
   * Runs the steps of a sync, and decides how it ends.
   *
   * @param signal aborted when the instance stops, the run is cancelled, or another worker has acquired it
   * @param jobSignal aborted when the instance stops or the job is no longer this worker's
   */
  async #sync(lease: RunLease, signal: AbortSignal, jobSignal: AbortSignal): Promise<void> {
    let sync: PreparedSync | null = null;
    try {
      if (hasUsedUpAttempts(lease.run))
        return await this.outcome.end(lease, null, this.outcome.attemptsUsedUp(lease.run));
      sync = await this.preparation.prepare(lease);
      if (!sync) return;
      await this.#fetchAndWrite(sync, signal);
    } catch (error) {
      if (isRunOver(error)) return this.#logStopped(error);
      const isOfDatabase = isDatabaseUnavailable(error);
      if (!isOfDatabase && !signal.aborted) return this.#endFailed(lease, jobSignal, sync?.connection ?? null, error);
      const isOurs = await this.#requeue(lease, jobSignal);
      // A worker that was frozen finds its session lost, and only then that another one has the run.
      if (isOurs || !isOfDatabase) throw error;
    }
  }

  async #fetchAndWrite(sync: PreparedSync, signal: AbortSignal): Promise<void> {
    const { lease, connection } = sync;
    const queue = new AccountIngestQueue(this.em, sync, signal, this.clock, this.outcome, this.ingestAccount);
    const snapshot = await this.#fetch(sync, queue, signal);
    await verifyCredentialOwner(this.em, connection, snapshot);
    // The accounts that were not written during the fetch.
    queue.accountsTotal = snapshot.accounts.length;
    for (const account of snapshot.accounts) queue.add(account);
    await queue.finish();
    await this.outcome.end(lease, connection, this.outcome.done(snapshot, queue), (em) =>
      markMissingAccounts(em, connection, snapshot, this.clock.now()),
    );
  }

  /** Writes accounts while the provider still fetches others, unless its credential must first be verified. */
  async #fetch(sync: PreparedSync, queue: AccountIngestQueue, signal: AbortSignal): Promise<BankSnapshot> {
    const { lease, connection, accounts, known } = sync;
    const { provider } = sync.installed;
    const request = this.preparation.request(sync);
    const writesEarly = accounts.length === 0 || hasAnswered(connection);
    const snapshot = await withDeadline(this.config.syncDeadlineMs, signal, (signal) =>
      provider.fetchSnapshot({
        ...request,
        signal,
        onProgress: ({ step, accountsTotal }) => {
          queue.accountsTotal = accountsTotal;
          lease.progress({ step, accountsTotal });
        },
        onAccount: (account) => writesEarly && queue.add(completeWithKnownHistory(account, known.backfilled)),
      }),
    ).finally(() => queue.finish());
    connection.serverVersions = snapshot.serverVersions ?? connection.serverVersions;
    return completeAllWithKnownHistory(snapshot, known.backfilled);
  }

  /**
   * Returns the job to the queue. The next worker starts again. While the database is away it goes on trying, as long as
   * the job is its own: a run that is found without a requeue counts as one whose worker stopped responding.
   *
   * @returns whether this worker still had the run
   */
  async #requeue(lease: RunLease, jobSignal: AbortSignal): Promise<boolean> {
    for (;;) {
      try {
        await lease.write(() => ({ status: 'queued', step: 'interrupted, retried in a moment' }));
        return true;
      } catch (error) {
        if (error instanceof LeaseLostError) {
          this.#logStopped(error);
          return false;
        }
        if (!isDatabaseUnavailable(error) || jobSignal.aborted) throw error;
        await wait(REQUEUE_PAUSE_MS, undefined, { signal: jobSignal }).catch(() => undefined);
      }
    }
  }

  #logStopped({ message }: Error): void {
    this.#log.log(`Sync stopped: ${message}`);
  }

  /** Requeues the run if even its failure cannot be stored. */
  async #endFailed(lease: RunLease, jobSignal: AbortSignal, used: Connection | null, error: unknown): Promise<void> {
    const outcome = this.outcome.failed(error);
    try {
      await this.outcome.end(lease, used, outcome);
    } catch (failure) {
      // Another worker has the run, so that its failure here does not matter.
      if (isRunOver(failure)) return this.#logStopped(failure);
      this.outcome.log(outcome);
      await this.#requeue(lease, jobSignal).catch(() => undefined);
      throw failure;
    }
  }
}

/** Whether the database failed for a moment. The network errors of a provider have causes with the same codes. */
function isDatabaseUnavailable(error: unknown): boolean {
  return !(error instanceof ProviderError) && databaseFailure(error)?.code === 'unavailable';
}

function hasUsedUpAttempts({ attempt, lostLeases }: SyncRun): boolean {
  return attempt > MAX_ATTEMPTS || lostLeases >= MAX_LOST_LEASES;
}
