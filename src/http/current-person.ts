import { knownCallerOf } from './caller.js';
import { currentRequest } from './request-context.js';

/** Whose API key the request has that the calling code serves. `null`: it serves none, or a page. */
export function currentPerson(): string | null {
  const request = currentRequest();
  return request && (knownCallerOf(request)?.userId ?? null);
}
