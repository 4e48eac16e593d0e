import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { User } from '../auth/user.entity.js';
import { Account } from '../accounts/account.entity.js';
import type { BankSnapshot, SnapshotRequest } from '../bank-provider/bank-provider.js';
import { ProviderError } from '../bank-provider/provider-error.js';
import { type RequestBudget, UNLIMITED } from '../bank-provider/request-budget.js';
import { addDays, dateInTimeZone } from '../time/calendar-date.js';
import { Clock } from '../time/clock.js';
import { accountsWithoutHoldings } from './accounts-without-holdings.js';
import { BankProviders } from './bank-providers.js';
import { Connection } from './connection.entity.js';
import { completeUntilByAccount } from './complete-until.js';
import { ConnectionRemoved } from './connection-lock.js';
import { credentialOwner } from './credential-owner.js';
import { CredentialVault } from './credential-vault.js';
import { foreignCurrencyProblems } from './foreign-currency-problems.js';
import { nextSyncAfterFailure, nextSyncAfterSuccess } from './next-sync.js';
import { PersistedBudget, scheduleAllowedAt } from './persisted-budget.js';
import type { SyncJob } from './sync-queue.js';
import type { SyncProblem, SyncRun } from './sync-run.entity.js';
import { SyncRuns } from './sync-runs.repository.js';
import { type AccountWrite, writeAccount } from './write-account.js';

/** What a sync works on: its own entity manager, the run, the connection and the person's time zone. */
interface Work {
  em: EntityManager;
  run: SyncRun;
  connection: Connection;
  timeZone: string;
  signal: AbortSignal;
}

@Injectable()
export class SyncConnection {
  readonly #log = new Logger('Sync');

  constructor(
    private readonly em: EntityManager,
    private readonly runs: SyncRuns,
    private readonly providers: BankProviders,
    private readonly vault: CredentialVault,
    private readonly clock: Clock,
  ) {}

  /** One sync of one connection, from its job to its end. Every branch is here; the helpers below hold none. */
  async run(job: SyncJob, signal: AbortSignal): Promise<void> {
    const work = await this.#begin(job, signal);
    if (!work) return;
    try {
      const snapshot = await this.#fetch(work);
      const problems: SyncProblem[] = [];
      for (const [index, account] of snapshot.accounts.entries()) {
        signal.throwIfAborted();
        try {
          const written = await writeAccount(work.em.fork(), work.connection, account, this.#moment(work));
          count(work.run, written);
          problems.push(...foreignCurrencyProblems(account, written.accountId));
        } catch (error) {
          if (error instanceof ConnectionRemoved) throw error;
          problems.push(this.#accountFailed(account.name, error));
        }
        await this.#progress(work, `writing ${account.name}`, index + 1, snapshot.accounts.length);
      }
      await this.#succeed(work, [...problems, ...(await this.#named(work, snapshot))]);
    } catch (error) {
      if (error instanceof ConnectionRemoved) return this.#log.log(`Sync ${work.run.id} stopped: ${error.message}`);
      if (signal.aborted) await this.#putBack(work);
      else if (error instanceof ProviderError) await this.#providerFailed(work, error);
      else await this.#crash(work, error);
      if (signal.aborted) throw error;
    }
  }

  async #begin({ userId, runId }: SyncJob, signal: AbortSignal): Promise<Work | null> {
    const em = this.em.fork();
    const run = await this.runs.start(em, userId, runId);
    const connection = run?.connectionId && (await em.findOne(Connection, { userId, id: run.connectionId }));
    if (!run || !connection) return null;
    connection.includePending = this.providers.byName(connection.provider).pendingSwitch ?? connection.includePending;
    await em.flush();
    const { timeZone } = await em.findOneOrFail(User, { id: userId });
    return { em, run, connection, timeZone, signal };
  }

  async #fetch(work: Work): Promise<BankSnapshot> {
    const { connection, em, run, signal } = work;
    const { utcDay } = this.#moment(work);
    const provider = this.providers.byName(connection.provider);
    const request: SnapshotRequest = {
      credential: this.vault.open(connection.credential, credentialOwner(connection)),
      today: utcDay,
      historyFrom: addDays(utcDay, -connection.historyDays),
      completeUntil: await completeUntilByAccount(em, connection),
      includePending: connection.includePending,
      // A person who asks wants to know: what a provider supports grows.
      withoutHoldings: run.trigger === 'person' ? new Set() : await accountsWithoutHoldings(em, connection, utcDay),
      wantsServerInfo: connection.serverVersions === null,
      budget: this.#budget(work, provider.requestsPerDay),
      onProgress: ({ step, accountsTotal }) => void this.#progress(work, step, 0, accountsTotal),
      signal,
    };
    const snapshot = await provider.fetchSnapshot(request);
    connection.serverVersions = snapshot.serverVersions ?? connection.serverVersions;
    return snapshot;
  }

  #moment({ timeZone }: Work) {
    const at = this.clock.now();
    return { at, day: dateInTimeZone(at, timeZone), utcDay: dateInTimeZone(at, 'UTC') };
  }

  #budget({ connection, run }: Work, requestsPerDay: number | null): RequestBudget {
    if (requestsPerDay === null) return UNLIMITED;
    return new PersistedBudget(this.em, connection, requestsPerDay, this.clock, run.trigger !== 'schedule');
  }

  /** A progress line that gets lost is no trouble of the sync. */
  async #progress({ run }: Work, step: string, accountsDone: number, accountsTotal: number | null): Promise<void> {
    Object.assign(run, { step, accountsDone, accountsTotal: accountsTotal ?? run.accountsTotal });
    await this.runs.progress(run, { step, accountsDone, accountsTotal: run.accountsTotal }).catch(() => undefined);
  }

  /** The snapshot's problems, with our account ids instead of the provider's. */
  async #named({ em, connection }: Work, { problems }: BankSnapshot): Promise<SyncProblem[]> {
    const accounts = await em.find(Account, { userId: connection.userId, connectionId: connection.id });
    const ids = new Map(accounts.map(({ externalId, id }) => [externalId, id]));
    return problems.map(({ kind, message, accountExternalId }) => ({
      kind,
      message,
      accountId: ids.get(accountExternalId ?? '') ?? null,
    }));
  }

  #accountFailed(name: string, error: unknown): SyncProblem {
    this.#log.error(`Writing account ${name} failed: ${String(error)}`, (error as Error).stack);
    return { kind: 'account_failed', message: `${name} could not be stored; it will be tried again.`, accountId: null };
  }

  async #succeed({ em, run, connection }: Work, problems: SyncProblem[]): Promise<void> {
    const now = this.clock.now();
    const status = problems.length > 0 ? 'partial' : 'succeeded';
    Object.assign(run, { status, step: 'done', problems, finishedAt: now });
    Object.assign(connection, {
      ...{ status: 'active', statusReason: null, lastSyncedAt: now, nextSyncAt: await this.#nextSync(connection, now) },
      updatedAt: now,
    });
    await em.flush();
    this.#log.log(
      `Sync ${run.id} ${status}: ${run.accountsDone} accounts, transactions +${run.transactionsAdded} ` +
        `~${run.transactionsUpdated} -${run.transactionsRemoved}, ${run.balancesWritten} balances written`,
    );
  }

  async #nextSync(connection: Connection, now: Date): Promise<Date> {
    const { requestsPerDay } = this.providers.byName(connection.provider);
    const allowedAt =
      requestsPerDay === null ? null : await scheduleAllowedAt(this.em.fork(), connection, requestsPerDay, now);
    return nextSyncAfterSuccess(now, allowedAt);
  }

  async #providerFailed({ em, run, connection }: Work, error: ProviderError): Promise<void> {
    const now = this.clock.now();
    const problems = [{ kind: error.kind, message: error.message, accountId: null }];
    Object.assign(run, { status: 'failed', step: 'failed', problems, finishedAt: now });
    connection.status = error.needsPerson ? 'attention_required' : connection.status;
    connection.statusReason = error.needsPerson ? error.message : connection.statusReason;
    connection.nextSyncAt = nextSyncAfterFailure(now, error.retryAfterSeconds);
    connection.updatedAt = now;
    await em.flush();
    this.#log.warn(`Sync ${run.id} failed: ${error.kind}: ${error.message}`);
  }

  /** Shutting down: another instance takes the run up where its accounts are half done. */
  async #putBack({ em, run }: Work): Promise<void> {
    Object.assign(run, { status: 'queued', step: 'interrupted' });
    await em.flush();
  }

  async #crash({ em, run, connection }: Work, error: unknown): Promise<void> {
    const now = this.clock.now();
    const message = 'The sync failed on our side; it will be tried again. The log says more.';
    Object.assign(run, { status: 'failed', step: 'failed', finishedAt: now });
    run.problems = [{ kind: 'internal', message, accountId: null }];
    connection.nextSyncAt = nextSyncAfterFailure(now, null);
    this.#log.error(`Sync ${run.id} failed: ${String(error)}`, (error as Error).stack);
    await em.flush();
  }
}

function count(run: SyncRun, write: AccountWrite): void {
  run.transactionsAdded += write.added;
  run.transactionsUpdated += write.updated;
  run.transactionsRemoved += write.removed;
  run.balancesWritten += write.balancesWritten;
}
