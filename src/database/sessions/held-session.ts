import { AsyncLocalStorage } from 'node:async_hooks';
import type { Kysely } from 'kysely';

interface OpenTransaction {
  /** False once it has ended; work that outlives it may acquire a session. */
  isOpen: boolean;
  /** Work right before the commit, in this order. */
  readonly beforeCommit: CommitWork[];
  /** Work after the commit. */
  readonly afterCommit: (() => void)[];
}

/** @param transaction runs its statements */
type CommitWork = (transaction: Kysely<unknown>) => Promise<void>;

const current = new AsyncLocalStorage<OpenTransaction>();

/**
 * A use case requested a second database session while its transaction holds one. Enough of them at the same time would
 * exhaust the pool and wait for each other for ever.
 */
class SecondSessionError extends Error {
  override readonly name = 'SecondSessionError';

  constructor() {
    super(
      'A second database session was requested inside a transaction. ' +
        'Use the injected EntityManager, which follows the transaction, and no fork, prepared statement or cursor.',
    );
  }
}

/** Whether the caller is inside an open transaction. */
export function isInTransaction(): boolean {
  return current.getStore()?.isOpen ?? false;
}

/** @throws SecondSessionError when the caller is inside an open transaction */
export function refuseSecondSession(): void {
  if (isInTransaction()) throw new SecondSessionError();
}

/** The outermost transaction of the caller. @throws Error when there is none */
export function currentTransaction(): object {
  return openTransaction();
}

/** Runs `work` right before the caller's transaction commits, after its last flush. */
export function beforeCommit(work: CommitWork): void {
  openTransaction().beforeCommit.push(work);
}

/**
 * Runs `work` after the caller's transaction has committed, and not after a rollback, also to a savepoint. Without a
 * transaction it runs now.
 */
export function afterCommit(work: () => void): void {
  const open = current.getStore();
  if (open?.isOpen) open.afterCommit.push(work);
  else work();
}

function openTransaction(): OpenTransaction {
  const open = current.getStore();
  if (!open?.isOpen) throw new Error('This needs a database transaction: run it inside em.transactional().');
  return open;
}

/**
 * Runs a transaction whose work is known to {@link refuseSecondSession}, and which begins with its opening statement.
 *
 * @param transactional runs its argument in the transaction
 */
export async function runTransaction<T, Transaction>(
  transactional: (whole: (transaction: Transaction) => Promise<T>) => Promise<T>,
  work: (transaction: Transaction) => Promise<T>,
  isReadOnly: boolean,
): Promise<T> {
  const open: OpenTransaction = { isOpen: true, beforeCommit: [], afterCommit: [] };
  const whole = (transaction: Transaction) =>
    current.run(open, async () => {
      const kysely = transaction as Kysely<unknown>;
      if (!isReadOnly) await runOpeningStatement(kysely);
      const result = await work(transaction);
      for (const last of open.beforeCommit) await last(kysely);
      return result;
    });
  let result;
  try {
    result = await transactional(whole);
  } finally {
    open.isOpen = false;
  }
  for (const after of open.afterCommit) after();
  return result;
}

/** Runs the work of a savepoint, which is inside a marked transaction. */
export async function dropWorkOnRollback<T>(savepoint: () => Promise<T>): Promise<T> {
  const after = current.getStore()?.afterCommit ?? [];
  const before = after.length;
  try {
    return await savepoint();
  } catch (error) {
    after.length = before;
    throw error;
  }
}

/** The first statement of a transaction. If it fails, the transaction does not begin. */
type OpeningStatement = (transaction: Kysely<unknown>) => Promise<void>;

interface Opening {
  statement: OpeningStatement;
  /** False once the work has ended; later transactions begin as usual. */
  isOpen: boolean;
}

const currentOpening = new AsyncLocalStorage<Opening>();

/** Runs `work`. Each transaction that it begins opens with `statement`. */
export async function withOpeningStatement<T>(statement: OpeningStatement, work: () => Promise<T>): Promise<T> {
  const opening: Opening = { statement, isOpen: true };
  try {
    return await currentOpening.run(opening, work);
  } finally {
    opening.isOpen = false;
  }
}

async function runOpeningStatement(transaction: Kysely<unknown>): Promise<void> {
  const opening = currentOpening.getStore();
  if (opening?.isOpen) await opening.statement(transaction);
}
