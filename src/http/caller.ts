import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { Caller } from '../platform/module.js';
import { currentRequest } from '../platform/request-context.js';

export type { Caller } from '../platform/module.js';

const callers = new WeakMap<Request, Caller>();
const userIds = new WeakMap<Request, string>();

export function rememberCaller(request: Request, caller: Caller): void {
  callers.set(request, caller);
  rememberUserId(request, caller.userId);
}

/** For a request with a session of the pages, which has no API key. */
export function rememberUserId(request: Request, userId: string): void {
  userIds.set(request, userId);
}

/** `null` for a request without an API key. */
export function knownCallerOf(request: Request): Caller | null {
  return callers.get(request) ?? null;
}

/**
 * Whose request the calling code serves. `null`: it serves no request, or one whose key or session is not known, or not
 * yet.
 */
export function currentUserId(): string | null {
  const request = currentRequest();
  return request && (userIds.get(request) ?? null);
}

/** The caller of a request that passed the guard. */
export function callerOf(request: Request): Caller {
  const caller = knownCallerOf(request);
  if (!caller) throw new Error('a route asks for its caller but requires no API key');
  return caller;
}

/** Parameter decorator: the caller of a route that requires an API key. */
export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext): Caller =>
  callerOf(context.switchToHttp().getRequest<Request>()),
);
