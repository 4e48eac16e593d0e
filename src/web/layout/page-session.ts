import type { Request } from 'express';
import type { Session } from '../../auth/sessions.service.js';

const sessions = new WeakMap<Request, Session>();

export function rememberSession(request: Request, session: Session): void {
  sessions.set(request, session);
}

export function sessionOf(request: Request): Session | null {
  return sessions.get(request) ?? null;
}
