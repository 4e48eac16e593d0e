import { AsyncLocalStorage } from 'node:async_hooks';
import type { Connection } from '@mikro-orm/core';

interface Hold {
  /** False once the transaction has ended: work that it started and that outlives it may acquire a session. */
  isOpen: boolean;
}

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
        'Use the EntityManager of the transaction instead of fork(), a prepared statement or a cursor.',
    );
  }
}

/** @throws SecondSessionError when the calling code runs inside an open transaction */
export function refuseSecondSession(): void {
  if (currentHold.getStore()?.isOpen) throw new SecondSessionError();
}

/** Marks the work inside every transaction of a connection, so that {@link refuseSecondSession} recognises it. */
export function markTransactions(connection: Connection): void {
  const transactional: Connection['transactional'] = connection.transactional.bind(connection);
  connection.transactional = async (work, options) => {
    // A savepoint belongs to a transaction that is marked already.
    if (options?.ctx) return transactional(work, options);
    const hold: Hold = { isOpen: true };
    try {
      return await transactional((transaction) => currentHold.run(hold, () => work(transaction)), options);
    } finally {
      hold.isOpen = false;
    }
  };
}
