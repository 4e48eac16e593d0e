import type { Request, Response } from 'express';
import { MAX_SESSION_MS, type Session } from '../../auth/sessions.service.js';
import { basePathOf } from '../../http/public-address.js';
import { rememberUserId } from '../../http/caller.js';

/** `__Host-` binds a cookie to this host; browsers accept it with `Secure` and for all paths only. */
function cookieName(request: Request): string {
  if (!request.secure) return 'tidemark';
  return basePathOf(request) ? '__Secure-tidemark' : '__Host-tidemark';
}

function attributes(request: Request) {
  return { httpOnly: true, sameSite: 'lax', secure: request.secure, path: basePathOf(request) || '/' } as const;
}

export function sessionTokenOf(request: Request): string | null {
  const name = cookieName(request);
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const [key, value] = pair.trim().split('=');
    if (key === name && value) return value;
  }
  return null;
}

export function setSessionCookie(request: Request, response: Response, token: string): void {
  response.cookie(cookieName(request), token, { ...attributes(request), maxAge: MAX_SESSION_MS });
}

export function clearSessionCookie(request: Request, response: Response): void {
  response.clearCookie(cookieName(request), attributes(request));
}

/** The sessions that the guard has found. */
const sessions = new WeakMap<Request, Session>();

export function rememberSession(request: Request, session: Session): void {
  sessions.set(request, session);
  rememberUserId(request, session.userId);
}

export function sessionOf(request: Request): Session | null {
  return sessions.get(request) ?? null;
}
