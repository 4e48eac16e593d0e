import { AsyncLocalStorage } from 'node:async_hooks';
import { currentRequest, requestIdOf } from '../../http/request-context.js';

const scopes = new AsyncLocalStorage<Record<string, unknown>>();

/** Every line logged by `work`, and by whatever it calls and waits for, has these fields. */
export function withLogFields<T>(fields: Record<string, unknown>, work: () => T): T {
  return scopes.run({ ...scopes.getStore(), ...fields }, work);
}

/** The fields of the work that is under way, and the id of the request that it serves. */
export function logFields(): Record<string, unknown> {
  const response = currentRequest()?.res;
  return { ...(response && { request: requestIdOf(response) }), ...scopes.getStore() };
}
