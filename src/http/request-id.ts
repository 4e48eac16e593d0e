import { randomUUID } from 'node:crypto';
import type { NextFunction, Request, Response } from 'express';

const HEADER = 'X-Request-Id';
const SANE = /^[\w.:/+=-]{1,100}$/;

/** Every response has a request id: the client's own if it is well-formed, else a new one. */
export function requestId(request: Request, response: Response, next: NextFunction): void {
  const given = request.get(HEADER) ?? '';
  response.set(HEADER, SANE.test(given) ? given : randomUUID());
  next();
}

export function requestIdOf(response: Response): string {
  return response.get(HEADER) ?? '';
}
