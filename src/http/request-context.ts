import { AsyncLocalStorage } from 'node:async_hooks';
import type { NextFunction, Request, Response } from 'express';

const requests = new AsyncLocalStorage<Request>();

/** Middleware. Code that runs for the request reads it with {@link currentRequest}. */
export function rememberRequest(request: Request, _response: Response, next: NextFunction): void {
  requests.run(request, next);
}

/** `null` outside a request, such as in a command of the command line. */
export function currentRequest(): Request | null {
  return requests.getStore() ?? null;
}
