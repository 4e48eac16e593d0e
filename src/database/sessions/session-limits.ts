import { AsyncLocalStorage } from 'node:async_hooks';

/** What a session of the database is used for. Each kind has limits of its own. */
export type SessionUse = 'request' | 'background' | 'export' | 'migration';

/** What PostgreSQL enforces in a session. */
export interface SessionLimits {
  statementTimeoutMs: number;
  lockTimeoutMs: number;
  idleInTransactionTimeoutMs: number;
}

const currentUse = new AsyncLocalStorage<SessionUse>();

/** Runs `work`; the sessions it acquires, and everything it calls acquires, get the limits of `use`. */
export function usingSessionsFor<T>(use: SessionUse, work: () => T): T {
  return currentUse.run(use, work);
}

/** A request, unless the caller is inside {@link usingSessionsFor}. */
export function currentSessionUse(): SessionUse {
  return currentUse.getStore() ?? 'request';
}
