import { AsyncLocalStorage } from 'node:async_hooks';

const scopes = new AsyncLocalStorage<Record<string, unknown>>();

/** Every line logged by `work`, and by whatever it calls and waits for, has these fields. */
export function withLogFields<T>(fields: Record<string, unknown>, work: () => T): T {
  return scopes.run({ ...scopes.getStore(), ...fields }, work);
}

/** The fields of the work that is under way. */
export function logFields(): Record<string, unknown> {
  return scopes.getStore() ?? {};
}
