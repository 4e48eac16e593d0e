import type { Request, Response } from 'express';
import { MAX_SESSION_MS, type Session } from '../../auth/sessions.service.js';
import { DAY_MS } from '../../platform/time/calendar-date.js';
import { basePathOf } from '../../http/public-address.js';
import { rememberUserId } from '../../http/caller.js';

/** `__Host-` binds a cookie to this host; browsers accept it with `Secure` and for all paths only. */
function cookieName(request: Request): string {
  if (!request.secure) return 'tidemark';
  return basePathOf(request) ? '__Secure-tidemark' : '__Host-tidemark';
}

/** Says who has signed in on this device, also after the session has ended. */
const deviceCookieName = (request: Request) => `${cookieName(request)}-device`;
/** The longest that browsers keep a cookie. */
const DEVICE_MS = 400 * DAY_MS;

function attributes(request: Request) {
  return { httpOnly: true, sameSite: 'lax', secure: request.secure, path: basePathOf(request) || '/' } as const;
}

export const sessionTokenOf = (request: Request) => cookieOf(request, cookieName(request));
export const deviceTokenOf = (request: Request) => cookieOf(request, deviceCookieName(request));

function cookieOf(request: Request, name: string): string | null {
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const [key, value] = pair.trim().split('=');
    if (key === name && value) return value;
  }
  return null;
}

export function setSessionCookies(request: Request, response: Response, session: string, device: string): void {
  response.cookie(cookieName(request), session, { ...attributes(request), maxAge: MAX_SESSION_MS });
  response.cookie(deviceCookieName(request), device, { ...attributes(request), maxAge: DEVICE_MS });
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
