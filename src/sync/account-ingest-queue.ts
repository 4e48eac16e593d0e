import type { EntityManager } from '@mikro-orm/postgresql';
import type { SnapshotAccount } from '../bank-provider/bank-provider.js';
import { ConnectionRemoved } from '../connections/connection-lock.js';
import type { Connection } from '../connections/connection.entity.js';
import { afterAccount, NOTHING_WRITTEN } from './runs/run-counts.js';
import { LeaseLost, type RunChanges, type RunLease } from './runs/run-lease.js';
import type { RunOutcomeService } from './runs/run-outcome.service.js';
import type { SyncProblem } from './sync-run.entity.js';
import { AccountDeleted } from '../ingest/delete-account/deleted-accounts.js';
import { foreignCurrencyProblems } from '../ingest/foreign-currency-problems.js';
import type { HistoryCoverage } from '../ingest/queries/history-coverage.queries.js';
import type { PrefetchedRowDigests } from '../ingest/queries/prefetched-row-digests.js';
import type { IngestProblem } from '../ingest/ingest-problem.js';
import type { IngestAccountService, IngestMoment } from '../ingest/ingest-account.service.js';

/** What the accounts of one run are written with. */
export interface Writing {
  lease: RunLease;
  connection: Connection;
  /** Of the accounts known so far, our ids by the provider's. */
  accountIds: Map<string, string>;
  known: HistoryCoverage;
  prefetched: PrefetchedRowDigests;
  now: () => Omit<IngestMoment, 'isWholeHistory'>;
  signal: AbortSignal;
  /** Called when there is nothing left to do. */
  onOver: () => void;
}

/**
 * Writes the accounts of one run, one after the other, each in one transaction and once, in the order in which they come:
 * those that come early while the provider is still being asked for the others.
 */
export class AccountIngestQueue {
  /** What cannot be stored is a problem of the run and stops nothing. */
  readonly problems: SyncProblem[] = [];
  /** How many accounts this attempt has stored. */
  stored = 0;
  /** How many there will be; `null`: not known yet. */
  accountsTotal: number | null = null;
  readonly #taken = new Set<string>();
  #last: Promise<void> = Promise.resolve();

  constructor(
    private readonly writing: Writing,
    private readonly outcome: RunOutcomeService,
    private readonly ingestAccount: IngestAccountService,
  ) {}

  get accountIds(): ReadonlyMap<string, string> {
    return this.writing.accountIds;
  }

  /** Returns at once. */
  add(account: SnapshotAccount): void {
    if (this.#taken.has(account.externalId)) return;
    this.#taken.add(account.externalId);
    this.#last = this.#last.then(() => this.#store(account));
    this.#last.catch((error: unknown) => isOver(error) && this.writing.onOver());
  }

  /** Waits until all of them are written. @throws what kept one from being even tried */
  async finish(): Promise<void> {
    await this.#last;
  }

  async #store(account: SnapshotAccount): Promise<void> {
    const { lease, accountIds, signal } = this.writing;
    signal.throwIfAborted();
    try {
      const problems: IngestProblem[] = [];
      await lease.write((em) => this.#write(em, account, problems));
      this.stored++;
      this.problems.push(...problems);
      this.problems.push(...foreignCurrencyProblems(account, accountIds.get(account.externalId)!));
    } catch (error) {
      if (isOver(error)) throw error;
      if (error instanceof AccountDeleted) return void (await lease.write(() => this.#leaveOut(account)));
      const accountId = accountIds.get(account.externalId) ?? null;
      const changes = afterAccount(lease.run, account, accountId, NOTHING_WRITTEN);
      await lease.write(() => ({ ...this.#progress(account), ...changes }));
      this.problems.push(this.outcome.notStored(account, accountId, error));
    }
  }

  async #write(em: EntityManager, account: SnapshotAccount, problems: IngestProblem[]): Promise<RunChanges> {
    const { lease, connection, accountIds, known, prefetched, now } = this.writing;
    const moment = { ...now(), isWholeHistory: !known.completeUntil.has(account.externalId) };
    const write = await this.ingestAccount.ingest(em, connection, account, moment, prefetched);
    accountIds.set(account.externalId, write.accountId);
    problems.push(...write.problems);
    return { ...this.#progress(account), ...afterAccount(lease.run, account, write.accountId, write) };
  }

  /** What a person deleted is no problem of the run. */
  #leaveOut(account: SnapshotAccount): RunChanges {
    return { ...this.#progress(account), accountsDone: this.writing.lease.run.accountsDone + 1 };
  }

  #progress({ name }: SnapshotAccount) {
    return { step: `writing ${name}`, accountsTotal: this.accountsTotal };
  }
}

/** Whether there is nothing left to do, and no fault. */
export function isOver(error: unknown): error is Error {
  return error instanceof LeaseLost || error instanceof ConnectionRemoved;
}
