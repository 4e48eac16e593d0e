import { AsyncLocalStorage } from 'node:async_hooks';
import type { Connection } from '@mikro-orm/core';
import type { Kysely } from 'kysely';
import { runOpeningStatement } from './opening-statement.js';

interface Hold {
  /** False once the transaction has ended: work that it started and that outlives it may acquire a session. */
  isOpen: boolean;
  /** What is done right before the commit, in this order. */
  readonly last: LastWork[];
  /** What is done once it has committed. */
  readonly after: (() => void)[];
}

/** @param transaction what its statements are run with */
type LastWork = (transaction: Kysely<unknown>) => Promise<void>;

const currentHold = new AsyncLocalStorage<Hold>();

/**
 * A use case asked for a second database session while its transaction holds one. Enough such use cases at the same
 * time would hold the whole pool and wait for each other for ever.
 */
export class SecondSessionError extends Error {
  override readonly name = 'SecondSessionError';

  constructor() {
    super(
      'A second database session was requested inside a transaction. ' +
        'Use the injected EntityManager, which follows the transaction, and no fork, prepared statement or cursor.',
    );
  }
}

/** @throws SecondSessionError when the calling code runs inside an open transaction */
export function refuseSecondSession(): void {
  if (currentHold.getStore()?.isOpen) throw new SecondSessionError();
}

/** The transaction that the calling code runs in, the outermost one. @throws Error when there is none */
export function currentTransaction(): object {
  return openHold();
}

/** Has `work` done right before the transaction of the calling code commits, after everything that it flushes. */
export function beforeCommit(work: LastWork): void {
  openHold().last.push(work);
}

/**
 * Has `work` done once the transaction of the calling code has committed, and never if it is rolled back, be it only to a
 * savepoint. Without a transaction it is done now.
 */
export function afterCommit(work: () => void): void {
  const hold = currentHold.getStore();
  if (hold?.isOpen) hold.after.push(work);
  else work();
}

function openHold(): Hold {
  const hold = currentHold.getStore();
  if (!hold?.isOpen) throw new Error('This needs a database transaction: run it inside em.transactional().');
  return hold;
}

/**
 * Marks the work inside every transaction of a connection, so that {@link refuseSecondSession} recognises it, and has the
 * transaction begin with its opening statement.
 */
export function markTransactions(connection: Connection): void {
  const transactional: Connection['transactional'] = connection.transactional.bind(connection);
  connection.transactional = async (work, options) => {
    // A savepoint belongs to a transaction that is marked already.
    if (options?.ctx) return forgettingWhatIsUndone(() => transactional(work, options));
    const hold: Hold = { isOpen: true, last: [], after: [] };
    const whole: typeof work = (transaction) =>
      currentHold.run(hold, async () => {
        if (!options?.readOnly) await runOpeningStatement(transaction as Kysely<unknown>);
        const result = await work(transaction);
        for (const last of hold.last) await last(transaction as Kysely<unknown>);
        return result;
      });
    let result;
    try {
      result = await transactional(whole, options);
    } finally {
      hold.isOpen = false;
    }
    for (const work of hold.after) work();
    return result;
  };
}

async function forgettingWhatIsUndone<T>(savepoint: () => Promise<T>): Promise<T> {
  const after = currentHold.getStore()?.after ?? [];
  const before = after.length;
  try {
    return await savepoint();
  } catch (error) {
    after.length = before;
    throw error;
  }
}
