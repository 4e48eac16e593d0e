import { AsyncLocalStorage } from 'node:async_hooks';
import type { NextFunction, Request, Response } from 'express';

const requests = new AsyncLocalStorage<Request>();

/** Middleware. Whatever a request causes can ask for it with {@link currentRequest}. */
export function rememberRequest(request: Request, _response: Response, next: NextFunction): void {
  requests.run(request, next);
}

/** `null`: what runs now was not caused by a request, such as a command of the command line. */
export function currentRequest(): Request | null {
  return requests.getStore() ?? null;
}
