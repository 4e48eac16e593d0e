import { AsyncLocalStorage } from 'node:async_hooks';
import type { QueryExecutorProvider } from 'kysely';

/** The first statement of a transaction. If it fails, the transaction does not begin. */
export type OpeningStatement = (transaction: QueryExecutorProvider) => Promise<void>;

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

export async function runOpeningStatement(transaction: QueryExecutorProvider): Promise<void> {
  const opening = currentOpening.getStore();
  if (opening?.isOpen) await opening.statement(transaction);
}
