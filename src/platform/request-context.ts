import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { NextFunction, Request, Response } from 'express';

const ID_HEADER = 'X-Request-Id';
const SANE_ID = /^[\w.:/+=-]{1,100}$/;

const requests = new AsyncLocalStorage<Request>();

/**
 * Middleware. Every response has a request id: the client's own if it is well-formed, else a new one. Code that runs for
 * the request reads it with {@link currentRequest}.
 */
export function rememberRequest(request: Request, response: Response, next: NextFunction): void {
  const given = request.get(ID_HEADER) ?? '';
  response.setHeader(ID_HEADER, SANE_ID.test(given) ? given : randomUUID());
  requests.run(request, next);
}

/** `null` outside a request, such as in a command of the command line. */
export function currentRequest(): Request | null {
  return requests.getStore() ?? null;
}

export function requestIdOf(response: Response): string {
  return response.get(ID_HEADER) ?? '';
}
