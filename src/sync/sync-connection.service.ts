import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { Account } from '../accounts/account.entity.js';
import { User } from '../auth/user.entity.js';
import type { BankSnapshot, SnapshotRequest } from '../bank-provider/bank-provider.js';
import { ProviderRegistry } from '../bank-provider/provider-registry.js';
import { Config } from '../config/config.js';
import { databaseFailure } from '../http/errors/database-failure.js';
import { reader } from '../database/reader.js';
import { usingSessionsFor } from '../database/sessions/session-pool.js';
import { withLogFields } from '../observability/logging/logger.js';
import { MetricsService } from '../observability/metrics/metrics.service.js';
import { TracingService } from '../observability/tracing/tracing.service.js';
import { withAbortScope } from '../time/abort-scope.js';
import { addDays, type CalendarDate, dateInTimeZone } from '../time/calendar-date.js';
import { noteChanges } from '../change-log/note-changes.js';
import { Clock } from '../time/clock.js';
import { AccountIngestQueue, isRunOver } from './account-ingest-queue.js';
import { IngestAccountService } from '../ingest/ingest-account.service.js';
import { DeletedAccount } from '../ingest/delete-account/deleted-account.entity.js';
import { hasAnswered, markMissingAccounts, verifyCredentialOwner } from '../ingest/listed-accounts.js';
import {
  completeAllWithKnownHistory,
  completeWithKnownHistory,
  historyCoverage,
  type SyncCoverage,
} from '../ingest/queries/history-coverage.queries.js';
import { Connection } from '../connections/connection.entity.js';
import { credentialOwner, CredentialVault } from '../vault/credential-vault.js';
import { RequestBudgetService } from '../connections/request-budget.service.js';
import { bringBackFromFuture, latestOfFuture } from './clock-set-back.js';
import { LeaseLost, type RunLease, RunLeases } from './runs/run-lease.js';
import { type Outcome, RunOutcomeService, summaryOf } from './runs/run-outcome.service.js';
import { CancelledRuns } from './events/run-events.js';
import { MAX_ATTEMPTS, MAX_LOST_LEASES, type SyncJob } from './queue/sync-queue.js';
import type { SyncRun } from './sync-run.entity.js';
import { StoredAccounts } from '../ingest/queries/stored-accounts.queries.js';
import { ProviderError } from '../bank-provider/provider-error.js';

/** How a sync is stopped before its end. */
interface Stop {
  /** Aborted when the instance stops, the run is cancelled, or another worker has acquired it. */
  signal: AbortSignal;
  abort: () => void;
}

/** The state of one sync. */
interface Work extends Stop {
  lease: RunLease;
  connection: Connection;
  /** Its accounts when the sync began. */
  accounts: readonly Account[];
  known: SyncCoverage;
  writer: AccountIngestQueue;
  /** Whether accounts are written before the snapshot is complete. */
  writesEarly: boolean;
}

@Injectable()
export class SyncConnectionService {
  readonly #log = new Logger('Sync');

  constructor(
    private readonly em: EntityManager,
    private readonly providers: ProviderRegistry,
    private readonly vault: CredentialVault,
    private readonly outcome: RunOutcomeService,
    private readonly leases: RunLeases,
    private readonly ingestAccount: IngestAccountService,
    private readonly budgets: RequestBudgetService,
    private readonly cancelled: CancelledRuns,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly metrics: MetricsService,
    private readonly tracing: TracingService,
  ) {}

  /** Runs one job: one sync of one connection. */
  run(job: SyncJob, signal: AbortSignal): Promise<void> {
    return usingSessionsFor('background', () => this.#run(job, signal));
  }

  async #run(job: SyncJob, signal: AbortSignal): Promise<void> {
    const lease = await this.leases.acquire(job);
    if (!lease) return;
    const own = new AbortController();
    const abort = () => own.abort(new LeaseLost('the run was cancelled'));
    const unsubscribe = this.cancelled.subscribe(job.runId, abort);
    try {
      const fields = { sync: job.runId, connection: lease.run.connectionId };
      const span = { name: 'sync', attributes: { 'tidemark.sync': job.runId } };
      await withAbortScope({ signals: [signal, own.signal] }, (signal) =>
        withLogFields(fields, () => this.tracing.trace(span, () => this.#sync(lease, { signal, abort }))),
      );
    } finally {
      unsubscribe();
    }
  }

  /** Runs the steps of a sync, and decides how it ends. */
  async #sync(lease: RunLease, stop: Stop): Promise<void> {
    const { signal } = stop;
    let work: Work | null = null;
    try {
      if (hasUsedUpAttempts(lease.run)) return await this.#end(lease, null, this.outcome.attemptsUsedUp(lease.run));
      work = await this.#begin(lease, stop);
      if (!work) return;
      const snapshot = await this.#fetch(work);
      await verifyCredentialOwner(this.em, work.connection, snapshot);
      await this.#writeAccounts(work, snapshot);
      await this.#endDone(work, snapshot);
    } catch (error) {
      if (isRunOver(error)) return this.#logStopped(error);
      const isOfDatabase = isDatabaseUnavailable(error);
      if (!isOfDatabase && !signal.aborted) return this.#endFailed(lease, work?.connection ?? null, error);
      const isOurs = await this.#requeue(lease);
      // A worker that was frozen finds its session lost, and only then that another one has the run.
      if (isOurs || !isOfDatabase) throw error;
    }
  }

  /** @returns `null` when the connection was deleted meanwhile */
  async #begin(lease: RunLease, { signal, abort }: Stop): Promise<Work | null> {
    const { userId, connectionId } = lease.run;
    const em = reader(this.em);
    const { timeZone } = await em.findOneOrFail(User, { id: userId });
    const { at, utcDay } = this.#moment(timeZone);
    let connection = await em.findOne(Connection, { userId, id: connectionId! });
    const future = connection && (await latestOfFuture(this.em, connection, at));
    if (connection && future) {
      this.#log.warn(
        'The last sync of this connection lies in the future: a clock was ahead. What it stored is dated back.',
      );
      await bringBackFromFuture(this.em, connection, future, lease.run.queuedAt, timeZone);
      connection = await reader(this.em).findOne(Connection, { userId, id: connectionId! });
    }
    if (!connection) return null;
    const { provider } = this.providers.get(connection.provider);
    const includePending = provider.pendingSwitch ?? connection.includePending;
    if (includePending !== connection.includePending) await this.#switchPending(connection, includePending);
    const accounts = await em.find(Account, { userId, connectionId });
    const accountIds = new Map(accounts.map(({ externalId, id }) => [externalId, id]));
    const asking = { now: at, byPerson: lease.run.trigger === 'person' };
    const known = await historyCoverage(this.em, connection, asking);
    const stored = new StoredAccounts(this.em, connection, this.#expected(connection, accounts, known));
    // No history is fetched for accounts that are left out.
    const deleted = await em.find(DeletedAccount, { userId, connectionId: connection.id });
    for (const { externalId } of deleted) known.completeUntil.set(externalId, utcDay);
    const now = () => this.#moment(timeZone);
    const writing = { lease, connection, accountIds, known, stored, now, signal, onOver: abort };
    // Otherwise the credential must first be verified to be of the same login.
    const writesEarly = accounts.length === 0 || hasAnswered(connection);
    return {
      lease,
      connection,
      accounts,
      known,
      writer: new AccountIngestQueue(writing, this.outcome, this.ingestAccount),
      writesEarly,
      signal,
      abort,
    };
  }

  /** Stores the provider's setting, which takes precedence. */
  async #switchPending(connection: Connection, includePending: boolean): Promise<void> {
    const { userId, id } = connection;
    await this.em.transactional((em) => {
      noteChanges(userId, { kind: 'connections', ids: [id] });
      return em.nativeUpdate(Connection, { userId, id }, { includePending });
    });
    connection.includePending = includePending;
  }

  /** The accounts that are known, with the first day that their answers will list again. */
  #expected({ provider }: Connection, accounts: readonly Account[], { completeUntil }: SyncCoverage) {
    const { overlapDays } = this.providers.get(provider).descriptor;
    return accounts.flatMap((account) => {
      const day = completeUntil.get(account.externalId);
      return day === undefined ? [] : [{ account, since: addDays(day, -overlapDays) }];
    });
  }

  async #fetch(work: Work): Promise<BankSnapshot> {
    const { lease, connection, accounts, known, writer, writesEarly, signal, abort } = work;
    const { utcDay } = this.#moment('UTC');
    const { descriptor, provider } = this.providers.get(connection.provider);
    const request: Omit<SnapshotRequest, 'signal'> = {
      credential: this.vault.open(connection.credential, credentialOwner(connection)),
      today: utcDay,
      historyFrom: addDays(utcDay, -connection.historyDays),
      completeUntil: known.completeUntil,
      partlyKnown: known.partlyKnown,
      includePending: connection.includePending,
      // A manual sync asks again, because providers add support for holdings.
      withoutHoldings: lease.run.trigger === 'person' ? new Set() : withoutHoldings(accounts, utcDay),
      wantsServerInfo: connection.serverVersions === null,
      budget: this.budgets.open(connection, descriptor.requestLimit, lease.run.trigger !== 'schedule'),
      onProgress: ({ step, accountsTotal }) => {
        writer.accountsTotal = accountsTotal;
        lease.progress({ step, accountsTotal }, abort);
      },
      onAccount: (account) => writesEarly && writer.add(completeWithKnownHistory(account, known.backfilled)),
    };
    const snapshot = await withDeadline(this.config.syncDeadlineMs, signal, (signal) =>
      provider.fetchSnapshot({ ...request, signal }),
    ).finally(() => writer.finish());
    connection.serverVersions = snapshot.serverVersions ?? connection.serverVersions;
    return completeAllWithKnownHistory(snapshot, known.backfilled);
  }

  /** Writes the accounts that were not written during the fetch. */
  async #writeAccounts({ writer }: Work, { accounts }: BankSnapshot): Promise<void> {
    writer.accountsTotal = accounts.length;
    for (const account of accounts) writer.add(account);
    await writer.finish();
  }

  /** Returns the job to the queue. The next worker starts again. @returns whether this worker still had the run */
  async #requeue(lease: RunLease): Promise<boolean> {
    try {
      await lease.write(() => ({ status: 'queued', step: 'interrupted, retried in a moment' }));
      return true;
    } catch (error) {
      if (!(error instanceof LeaseLost)) throw error;
      this.#logStopped(error);
      return false;
    }
  }

  #logStopped({ message }: Error): void {
    this.#log.log(`Sync stopped: ${message}`);
  }

  /** Requeues the run if even its failure cannot be stored. */
  async #endFailed(lease: RunLease, used: Connection | null, error: unknown): Promise<void> {
    const outcome = this.outcome.failed(error);
    try {
      await this.#end(lease, used, outcome);
    } catch (failure) {
      // Of a run that another worker has, nobody needs to know how it failed here.
      if (isRunOver(failure)) return this.#logStopped(failure);
      this.#logOutcome(outcome);
      await this.#requeue(lease).catch(() => undefined);
      throw failure;
    }
  }

  #endDone({ lease, connection, writer }: Work, snapshot: BankSnapshot): Promise<void> {
    const outcome = this.outcome.done(snapshot, writer);
    return this.#end(lease, connection, outcome, (em) =>
      markMissingAccounts(em, connection, snapshot, this.clock.now()),
    );
  }

  /**
   * @param used the connection; `null`: the run failed before it was loaded
   * @param work of the same transaction, when the connection is locked
   */
  async #end(
    lease: RunLease,
    used: Connection | null,
    outcome: Outcome,
    work?: (em: EntityManager) => Promise<unknown>,
  ): Promise<void> {
    await lease.write(async (em) => {
      const changes = await this.outcome.write(em, lease.run, used, outcome);
      await work?.(em);
      return changes;
    });
    this.#countSync(lease.run, used, outcome);
    this.#log.log(`Sync ${lease.run.status} (${lease.run.trigger}): ${summaryOf(lease.run)}`);
    this.#logOutcome(outcome);
  }

  #logOutcome({ log, stack }: Outcome): void {
    if (log !== null && stack !== null) this.#log.error(log, stack);
    else if (log !== null) this.#log.warn(log);
  }

  #countSync({ startedAt }: SyncRun, used: Connection | null, { status, problems }: Outcome): void {
    const seconds = startedAt ? (this.clock.now().getTime() - startedAt.getTime()) / 1000 : 0;
    const kind = problems[0]?.kind ?? 'none';
    this.metrics.countSync({ provider: used?.provider ?? 'unknown', status, kind, seconds });
  }

  #moment(timeZone: string) {
    const at = this.clock.now();
    return { at, day: dateInTimeZone(at, timeZone), utcDay: dateInTimeZone(at, 'UTC') };
  }
}

/** The external ids of accounts without holdings, as the provider said not long ago. */
function withoutHoldings(accounts: readonly Account[], today: CalendarDate): Set<string> {
  const without = accounts.filter(({ holdingsRetryOn }) => holdingsRetryOn !== null && holdingsRetryOn > today);
  return new Set(without.map(({ externalId }) => externalId));
}

/** Whether the database failed for a moment. The network errors of a provider have causes with the same codes. */
function isDatabaseUnavailable(error: unknown): boolean {
  return !(error instanceof ProviderError) && databaseFailure(error)?.code === 'unavailable';
}

function hasUsedUpAttempts({ attempt, lostLeases }: SyncRun): boolean {
  return attempt > MAX_ATTEMPTS || lostLeases >= MAX_LOST_LEASES;
}

/**
 * Runs work with a deadline. The abort reason is a network error, after which a provider keeps what it has fetched. The
 * next sync fetches the rest.
 */
export function withDeadline<T>(
  timeoutMs: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return withAbortScope({ signals: [signal], timeoutMs, timeoutReason: () => tooLong(timeoutMs) }, work);
}

function tooLong(timeoutMs: number): ProviderError {
  const minutes = Math.max(1, Math.round(timeoutMs / 60_000));
  const limit = `${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`;
  const message = `The provider did not deliver everything within ${limit}, the limit of a sync. The next sync fetches the rest.`;
  return new ProviderError('network', message);
}
