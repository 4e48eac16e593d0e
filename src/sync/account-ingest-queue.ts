import type { EntityManager } from '@mikro-orm/postgresql';
import type { SnapshotAccount } from '../providers/bank-provider.js';
import { isDatabaseAway } from '../http/errors/database-failure.js';
import { ConnectionRemovedError } from './connections/connection.entity.js';
import { type RunChanges, RunOverError } from './runs/run-attempt.js';
import type { RunOutcomeService } from './runs/run-outcome.service.js';
import type { SyncedAccount, SyncProblem, SyncRun } from './sync-run.entity.js';
import type { AccountWrite, IngestAccountService } from './ingest/ingest-account.service.js';
import { Account, type DatesAs } from '../balances/accounts/account.entity.js';
import { reader } from '../database/reader.js';
import {
  AccountDeletedError,
  daysReadAgainProblem,
  type IngestProblem,
  staleProblems,
} from './ingest/ingest-problem.js';
import { digestOfAnswer, type IngestMoment } from './ingest/account-changes.js';
import { readDays } from './ingest/read-days.js';
import { addDays, dateInTimeZone } from '../platform/time/calendar-date.js';
import { completeUntil } from '../platform/time/covered-days.js';
import type { Clock } from '../platform/time/clock.js';
import type { PreparedSync } from './prepare-sync.service.js';

type Written = Omit<AccountWrite, 'accountId' | 'problems'>;

/** For an account that has not changed, or that could not be stored. */
const NOTHING_WRITTEN: Written = { added: 0, updated: 0, removed: 0, balancesWritten: 0 };

/**
 * Writes the accounts of one run in the order in which they come, each once and in a transaction of its own; one
 * without changes only counts as done. The provider may still be fetching the others.
 */
export class AccountIngestQueue {
  /** An account that cannot be stored is a problem and does not stop the others. */
  readonly problems: SyncProblem[] = [];
  /** How many accounts this attempt has stored. */
  stored = 0;
  /** Whether nothing of the answer is lost if the provider does not repeat it. */
  isWhole = true;
  /** `null`: unknown yet. */
  accountsTotal: number | null = null;
  readonly #accountIds: Map<string, string>;
  readonly #taken = new Set<string>();
  /** The accounts that were looked up, by external id; `null`: there is none. */
  readonly #current = new Map<string, Account | null>();
  #last: Promise<void> = Promise.resolve();

  constructor(
    private readonly em: EntityManager,
    private readonly sync: PreparedSync,
    private readonly signal: AbortSignal,
    private readonly clock: Clock,
    private readonly outcome: RunOutcomeService,
    private readonly ingestAccount: IngestAccountService,
  ) {
    this.#accountIds = new Map(sync.accounts.map(({ externalId, id }) => [externalId, id]));
  }

  /** Our ids of the stored accounts, by external id. */
  get accountIds(): ReadonlyMap<string, string> {
    return this.#accountIds;
  }

  /** Enqueues an account and does not wait until it is written. */
  add(account: SnapshotAccount): void {
    if (this.#taken.has(account.externalId)) return;
    this.#taken.add(account.externalId);
    this.#last = this.#last.then(() => this.#store(account));
    this.#last.catch((error: unknown) => stopsRun(error) && this.sync.attempt.abandon(error as Error));
  }

  /** Waits until all are written. @throws when the run is over or the signal aborts */
  async finish(): Promise<void> {
    await this.#last;
  }

  async #store(answered: SnapshotAccount): Promise<void> {
    const { attempt, timeZone, accounts } = this.sync;
    this.signal.throwIfAborted();
    const kept = accounts.find(({ externalId }) => externalId === answered.externalId)?.datesAs ?? null;
    const today = dateInTimeZone(this.clock.now(), timeZone);
    const { snapshot: account, datesAs } = readDays(answered, kept, { timeZone, today });
    try {
      const stored = await this.#findStored(account, datesAs);
      if (stored) {
        attempt.progress(this.#done(account, stored.id, NOTHING_WRITTEN));
        this.problems.push(...staleProblems(stored));
      } else await this.#write(account, datesAs);
      this.stored++;
      if (account.unreadableRows > 0) this.isWhole = false;
      if (kept !== null && datesAs !== kept) {
        this.problems.push(daysReadAgainProblem(account, this.#accountIds.get(account.externalId)!));
      }
    } catch (error) {
      if (stopsRun(error)) throw error;
      // Leaving out an account that a person deleted is no problem.
      if (error instanceof AccountDeletedError)
        return attempt.progress({ ...this.#progress(account), accountsDone: attempt.run.accountsDone + 1 });
      this.isWhole = false;
      const accountId = this.#accountIds.get(account.externalId) ?? null;
      await this.#noteNotWritten(this.#done(account, accountId, NOTHING_WRITTEN));
      this.problems.push(this.outcome.notStored(account, accountId, error));
    }
  }

  /** @returns the account that is stored as an answer says; `null`: there is none */
  async #findStored(answer: SnapshotAccount, datesAs: DatesAs | null): Promise<Account | null> {
    const { externalId } = answer;
    const moment = this.#moment(answer, datesAs);
    // When the whole history was asked for is stored each time.
    if (moment.isWholeHistory) return null;
    if (!this.#current.has(externalId)) await this.#readCurrent();
    const account = this.#current.get(externalId);
    const digest = digestOfAnswer(answer, moment, this.sync.connection.includePending);
    return account?.answerDigest === digest ? account : null;
  }

  /** Reads the accounts whose answers have come, together: a person may have edited, merged or deleted one meanwhile. */
  async #readCurrent(): Promise<void> {
    const { userId, id: connectionId } = this.sync.connection;
    const externalIds = [...this.#taken].filter((externalId) => !this.#current.has(externalId));
    const accounts = await reader(this.em).find(Account, { userId, connectionId, externalId: { $in: externalIds } });
    for (const externalId of externalIds) this.#current.set(externalId, null);
    for (const account of accounts) this.#current.set(account.externalId, account);
  }

  /** A worker that was frozen finds its session lost, and only then that another one has the run. @throws RunOverError */
  async #noteNotWritten(done: RunChanges): Promise<void> {
    const { attempt } = this.sync;
    await attempt
      .write(() => done)
      .catch((failure: unknown) => {
        if (isRunOver(failure)) throw failure;
        attempt.progress(done);
      });
  }

  async #write(account: SnapshotAccount, datesAs: DatesAs | null): Promise<void> {
    const { attempt, connection } = this.sync;
    const problems: IngestProblem[] = [];
    await attempt.write(async (em) => {
      const moment = this.#moment(account, datesAs);
      const write = await this.ingestAccount.ingest(em, connection, account, moment);
      this.#accountIds.set(account.externalId, write.accountId);
      problems.push(...write.problems);
      return this.#done(account, write.accountId, write);
    });
    this.problems.push(...problems);
  }

  #moment({ externalId }: SnapshotAccount, datesAs: DatesAs | null): IngestMoment {
    const { connection, timeZone, covered } = this.sync;
    const at = this.clock.now();
    const utcDay = dateInTimeZone(at, 'UTC');
    return {
      at,
      day: dateInTimeZone(at, timeZone),
      utcDay,
      timeZone,
      datesAs,
      historyFrom: addDays(utcDay, -connection.historyDays),
      isWholeHistory: completeUntil(covered.get(externalId) ?? []) === null,
    };
  }

  /** @param accountId `null`: the account is new and could not be stored */
  #done(account: SnapshotAccount, accountId: string | null, write: Written): RunChanges {
    return { ...this.#progress(account), ...afterAccount(this.sync.attempt.run, account, accountId, write) };
  }

  #progress({ name }: SnapshotAccount) {
    return { step: `writing ${name}`, accountsTotal: this.accountsTotal };
  }
}

/** Whether an error only means that the run is over. */
export function isRunOver(error: unknown): error is Error {
  return error instanceof RunOverError || error instanceof ConnectionRemovedError;
}

/** Whether no other account of the run can be stored either. */
function stopsRun(error: unknown): boolean {
  return isRunOver(error) || isDatabaseAway(error);
}

/**
 * The counts of a run after one more account. Counts of earlier attempts of the same run are kept.
 *
 * @param accountId `null`: the account is new and could not be stored
 */
function afterAccount(run: SyncRun, snapshot: SnapshotAccount, accountId: string | null, write: Written) {
  const { externalId, name } = snapshot;
  const before = run.accounts.find((account) => account.externalId === externalId);
  const account: SyncedAccount = {
    externalId,
    accountId,
    name,
    fetched: snapshot.transactions.length,
    added: write.added + (before?.added ?? 0),
    updated: write.updated + (before?.updated ?? 0),
    removed: write.removed + (before?.removed ?? 0),
    balancesWritten: write.balancesWritten + (before?.balancesWritten ?? 0),
  };
  const accounts = before
    ? run.accounts.map((other) => (other === before ? account : other))
    : [...run.accounts, account];
  return {
    accounts,
    accountsDone: run.accountsDone + 1,
    transactionsAdded: total(accounts, 'added'),
    transactionsUpdated: total(accounts, 'updated'),
    transactionsRemoved: total(accounts, 'removed'),
    balancesWritten: total(accounts, 'balancesWritten'),
  };
}

function total(accounts: readonly SyncedAccount[], figure: keyof Written): number {
  return accounts.reduce((sum, account) => sum + account[figure], 0);
}
