import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { MAX_SESSION_MS, type Session, SessionsService } from './sessions.service.js';
import { SignInService } from './sign-in.service.js';
import type { User } from './user.entity.js';
import { DAY_MS } from '../platform/time/calendar-date.js';
import { basePathOf } from '../http/public-address.js';
import { rememberUserId } from '../http/caller.js';

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

/** Signs people in on the pages, however they have proved who they are. */
@Injectable()
export class PageSessions {
  constructor(
    private readonly sessions: SessionsService,
    private readonly signIn: SignInService,
  ) {}

  /**
   * Starts a session with a new token, whatever cookie the browser had.
   *
   * @returns whether it began: the password may have been replaced meanwhile
   */
  async begin(user: User, request: Request, response: Response): Promise<boolean> {
    const token = await this.sessions.begin(user);
    if (token === null) return false;
    const before = sessionOf(request);
    if (before) await this.sessions.end(before);
    const device = this.signIn.deviceTokenFor(user);
    response.cookie(cookieName(request), token, { ...attributes(request), maxAge: MAX_SESSION_MS });
    response.cookie(deviceCookieName(request), device, { ...attributes(request), maxAge: DEVICE_MS });
    return true;
  }
}
