import { AsyncLocalStorage } from 'node:async_hooks';
import type { SessionUse } from '../../config/database-settings.js';

const currentUse = new AsyncLocalStorage<SessionUse>();

/** Runs `work`. The sessions that it acquires get the limits of `use`. */
export function usingSessionsFor<T>(use: SessionUse, work: () => T): T {
  return currentUse.run(use, work);
}

/** `request`, unless the caller is inside {@link usingSessionsFor}. */
export function currentSessionUse(): SessionUse {
  return currentUse.getStore() ?? 'request';
}
