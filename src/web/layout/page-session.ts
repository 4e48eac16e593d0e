import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { Session } from '../../auth/sessions.service.js';

const sessions = new WeakMap<Request, Session>();

export function rememberSession(request: Request, session: Session): void {
  sessions.set(request, session);
}

export function sessionOf(request: Request): Session | null {
  return sessions.get(request) ?? null;
}

/** Parameter decorator: the session of a signed-in person. */
export const CurrentSession = createParamDecorator((_: unknown, context: ExecutionContext): Session => {
  const session = sessionOf(context.switchToHttp().getRequest<Request>());
  if (!session) throw new Error('a public page asks for a session');
  return session;
});
