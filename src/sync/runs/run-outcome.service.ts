import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { UncountableAmountsError } from '../../balances/history/derive-account-history.js';
import type { BankSnapshot, SnapshotAccount } from '../../providers/bank-provider.js';
import { ProviderError } from '../../providers/provider-error.js';
import { ProviderRegistry, UnknownProviderError } from '../../providers/provider-registry.js';
import { noteChanges } from '../../database/change-log/note-changes.js';
import { MetricsService } from '../../platform/metrics/metrics.service.js';
import { Clock } from '../../platform/time/clock.js';
import { Connection } from '../connections/connection.entity.js';
import { SealedElsewhereError } from '../../platform/vault/credential-vault.js';
import { AccountLeftOutError } from '../ingest/ingest-problem.js';
import { RequestBudgetService } from '../connections/request-budget.service.js';
import { JobQueue } from '../jobs/job-queue.js';
import { nextSyncAt } from './next-sync-at.js';
import type { RunAttempt, RunChanges } from './run-attempt.js';
import { isFailure } from './problem-kinds.js';
import { SyncRunsService } from './sync-runs.service.js';
import { SYNC_PROBLEM_KINDS, type SyncProblem, SyncRun } from '../sync-run.entity.js';

/** How a run ended. */
interface Outcome {
  status: 'succeeded' | 'partial' | 'failed';
  problems: SyncProblem[];
  retryAfterSeconds: number | null;
  /** Up to where changes are stored; absent: no further than before. */
  cursor?: string | undefined;
  /** Why a person is needed before the next sync; `null`: nobody is. */
  needsPerson: string | null;
  /** A line for the log; `null`: there is nothing to log. */
  log: string | null;
  /** Of an error in Tidemark; `null`: there is none. */
  stack: string | null;
}

/** What became of the accounts. */
interface Written {
  /** Our ids by external id. */
  accountIds: ReadonlyMap<string, string>;
  /** How many were stored. */
  stored: number;
  /** Whether nothing of the answer is lost if the provider does not repeat it. */
  isWhole: boolean;
  /** The problems of writing. */
  problems: readonly SyncProblem[];
}

const FINE: Omit<Outcome, 'status' | 'problems'> = {
  retryAfterSeconds: null,
  needsPerson: null,
  log: null,
  stack: null,
};

/** The others are counted. */
const MAX_PROBLEMS = 100;
const NO_ACCOUNT = { accountId: null, accountExternalId: null };

const INTERNAL = {
  kind: 'internal',
  message: 'The sync failed because of an error in Tidemark, which retries automatically. See the log.',
} as const;

/** Decides how a run ended, and writes the result to the run and its connection. */
@Injectable()
export class RunOutcomeService {
  readonly #log = new Logger('Sync');

  constructor(
    private readonly budgets: RequestBudgetService,
    private readonly clock: Clock,
    private readonly metrics: MetricsService,
    private readonly jobs: JobQueue,
    private readonly runs: SyncRunsService,
    providers: ProviderRegistry,
  ) {
    for (const { descriptor } of providers.all) {
      const provider = descriptor.name;
      metrics.expectSync({ provider, status: 'succeeded', kind: 'none' });
      for (const kind of SYNC_PROBLEM_KINDS) {
        for (const status of ['partial', 'failed']) metrics.expectSync({ provider, status, kind });
      }
    }
  }

  /**
   * The outcome of a run whose provider has answered: where something failed it is `partial`, or `failed` if no account
   * was stored either.
   */
  done(snapshot: BankSnapshot, { accountIds, stored, isWhole, problems: own }: Written): Outcome {
    const reported = snapshot.problems.map(({ kind, message, accountExternalId = null }): SyncProblem => {
      const accountId = accountIds.get(accountExternalId ?? '') ?? null;
      return { kind, message, accountId, accountExternalId };
    });
    const all = [...own, ...reported];
    const failures = all.filter(isFailure);
    const problems = capProblems([...failures, ...all.filter((problem) => !isFailure(problem))]);
    const status = failures.length === 0 ? 'succeeded' : stored > 0 ? 'partial' : 'failed';
    const { retryAfterSeconds, cursor } = snapshot;
    return { status, problems, ...FINE, retryAfterSeconds, ...(isWhole && { cursor }) };
  }

  notStored({ name, externalId }: SnapshotAccount, accountId: string | null, error: unknown): SyncProblem {
    if (error instanceof AccountLeftOutError) return error.toProblem(externalId);
    this.#log.error(`Storing the account ${name} failed: ${String(error)}`, (error as Error).stack);
    const message =
      error instanceof UncountableAmountsError
        ? `${name} could not be updated, because its amounts add up to more than Tidemark can count exactly.`
        : `${name} could not be updated. Tidemark retries at the next sync.`;
    return { kind: 'account_failed', message, accountId, accountExternalId: externalId };
  }

  failed(error: unknown): Outcome {
    const { message, stack = '' } = error as Error;
    if (error instanceof ProviderError) {
      const { kind, retryAfterSeconds, needsPerson } = error;
      const log = `Sync failed: ${kind}: ${message}`;
      return failure({ kind, message }, { log, retryAfterSeconds, needsPerson: needsPerson ? message : null });
    }
    const log = `Sync failed: ${message}`;
    if (error instanceof SealedElsewhereError) return failure({ kind: 'internal', message }, { log });
    if (error instanceof UnknownProviderError) return failure({ kind: 'unknown_provider', message }, { log });
    return failure(INTERNAL, { log: `Sync failed with an internal error: ${String(error)}`, stack });
  }

  /**
   * Ends the run with this outcome, and its job, in one transaction.
   *
   * @param used the connection as the run has used it; `null`: the run failed before it was loaded
   * @param work of the same transaction, when the connection is locked
   */
  async end(
    attempt: RunAttempt,
    used: Connection | null,
    outcome: Outcome,
    work?: (em: EntityManager) => Promise<unknown>,
  ): Promise<void> {
    const { run } = attempt;
    await attempt.write(async (em) => {
      const changes = await this.write(em, run, used, outcome);
      await work?.(em);
      await this.jobs.complete(em, attempt.job);
      await this.#enqueuePushed(em, run);
      return changes;
    });
    const { status, problems } = outcome;
    const seconds = run.startedAt ? (this.clock.now().getTime() - run.startedAt.getTime()) / 1000 : 0;
    const kind = problems.find(isFailure)?.kind ?? 'none';
    this.metrics.countSync({ provider: used?.provider ?? 'unknown', status, kind, seconds });
    this.#log.log(`Sync ${run.status} (${run.trigger}): ${summaryOf(run)}`);
    this.log(outcome);
  }

  /** Logs what the person who runs the service should know of an outcome. */
  log({ log, stack }: Outcome): void {
    if (log !== null && stack !== null) this.#log.error(log, stack);
    else if (log !== null) this.#log.warn(log);
  }

  /**
   * Writes the outcome to the connection, in the transaction that ends the run.
   *
   * @param used the connection as the run has used it; `null`: the run failed before it was loaded
   * @returns the changes of the run
   */
  async write(
    em: EntityManager,
    { userId, connectionId, trigger }: SyncRun,
    used: Connection | null,
    outcome: Outcome,
  ): Promise<RunChanges> {
    const now = this.clock.now();
    const { status, problems, needsPerson } = outcome;
    const failed = status === 'failed';
    const connection = await em.findOneOrFail(Connection, { userId, id: connectionId! });
    const { status: before } = connection;
    // Whoever has changed the connection meanwhile may want what the answer left out.
    const isUnchanged = connection.updatedAt.getTime() === used?.updatedAt.getTime();
    if (isUnchanged && outcome.cursor !== undefined) connection.cursor = outcome.cursor;
    const isPushed = connection.nextSyncAt?.getTime() !== used?.nextSyncAt?.getTime();
    // A push that came meanwhile may be about what came after the answer.
    if (!isPushed || failed || outcome.retryAfterSeconds !== null)
      connection.nextSyncAt = await this.#nextSync(em, connection, { ...outcome, trigger }, now);
    connection.updatedAt = now;
    if (!failed) connection.lastSyncedAt = now;
    // The result of an old credential says nothing about one that replaced it. Compared by time, because resealing
    // changes the text of the same credential.
    const isSame = connection.credentialSince.getTime() === used?.credentialSince.getTime();
    if (isSame && used) {
      const { serverVersions, externalId, accessUntil } = used;
      Object.assign(connection, { serverVersions, externalId, accessUntil });
    }
    if (isSame && (!failed || needsPerson !== null)) {
      connection.status = failed ? 'attention_required' : 'active';
      connection.statusReason = needsPerson;
    }
    // Merge suggestions of all connections depend on which accounts are synced.
    if (connection.status !== before) {
      const event = failed ? 'connection.attention_required' : 'connection.recovered';
      noteChanges(userId, { kind: 'connections' }, { kind: 'connections', ids: [connection.id], event });
    }
    await em.flush();
    return { status, problems, step: failed ? 'failed' : 'done', finishedAt: now };
  }

  /** What is due already was pushed during the sync, and does not wait for the next tick. */
  async #enqueuePushed(em: EntityManager, { userId, connectionId }: SyncRun): Promise<void> {
    const connection = await em.findOneOrFail(Connection, { userId, id: connectionId! });
    if (connection.nextSyncAt! <= this.clock.now()) await this.runs.enqueuePushed(em, connection);
  }

  async #nextSync(
    em: EntityManager,
    connection: Connection,
    { status, retryAfterSeconds, trigger }: Outcome & Pick<SyncRun, 'trigger'>,
    now: Date,
  ): Promise<Date> {
    const allowedAt = await this.budgets.scheduleAllowedAt(em, connection, now);
    if (status !== 'failed') return nextSyncAt(now, 0, retryAfterSeconds, allowedAt);
    const failures = (await automaticFailures(em, connection)) + (trigger === 'schedule' ? 1 : 0);
    return nextSyncAt(now, Math.max(1, failures), retryAfterSeconds, allowedAt);
  }
}

/** The outcome of a run that brought nothing, for one reason that concerns no account. */
function failure({ kind, message }: Pick<SyncProblem, 'kind' | 'message'>, more: Partial<Outcome>): Outcome {
  return { status: 'failed', problems: [{ kind, message, ...NO_ACCOUNT }], ...FINE, ...more };
}

/** An answer can cause thousands of problems. The rest is counted. */
function capProblems(all: readonly SyncProblem[]): SyncProblem[] {
  const problems = all.slice(0, MAX_PROBLEMS);
  const first = all[MAX_PROBLEMS];
  if (!first) return problems;
  const message = `… and ${(all.length - MAX_PROBLEMS).toLocaleString('en')} more problems of this sync.`;
  return [...problems, { kind: first.kind, message, ...NO_ACCOUNT }];
}

/** Counts the automatic syncs that failed since the connection was last synced or got its credential. */
function automaticFailures(
  em: EntityManager,
  { userId, id, lastSyncedAt, credentialSince }: Connection,
): Promise<number> {
  const since = new Date(Math.max(lastSyncedAt?.getTime() ?? 0, credentialSince.getTime()));
  const failed = { status: 'failed', trigger: 'schedule', finishedAt: { $gte: since } } as const;
  return em.count(SyncRun, { userId, connectionId: id, ...failed });
}

/** One line for the log. */
function summaryOf(run: SyncRun): string {
  const seconds = ((run.finishedAt?.getTime() ?? 0) - (run.startedAt?.getTime() ?? 0)) / 1000;
  return (
    `${run.accountsDone} of ${run.accountsTotal ?? '?'} accounts, transactions +${run.transactionsAdded} ` +
    `~${run.transactionsUpdated} -${run.transactionsRemoved}, ${run.balancesWritten} balances written, ` +
    `${run.problems.length} problems, attempt ${run.attempt}, ${seconds.toFixed(1)} s`
  );
}
