import type { Request, Response } from 'express';
import { MAX_SESSION_MS } from '../../auth/sessions.service.js';

/** `__Host-` binds a cookie to this host; browsers accept it with `Secure` only. */
const SECURE_NAME = '__Host-tidemark';
const PLAIN_NAME = 'tidemark';

function attributes(request: Request) {
  return { httpOnly: true, sameSite: 'lax', secure: request.secure, path: '/' } as const;
}

export function sessionTokenOf(request: Request): string | null {
  const name = request.secure ? SECURE_NAME : PLAIN_NAME;
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const [key, value] = pair.trim().split('=');
    if (key === name && value) return value;
  }
  return null;
}

export function setSessionCookie(request: Request, response: Response, token: string): void {
  const name = request.secure ? SECURE_NAME : PLAIN_NAME;
  response.cookie(name, token, { ...attributes(request), maxAge: MAX_SESSION_MS });
}

export function clearSessionCookie(request: Request, response: Response): void {
  response.clearCookie(request.secure ? SECURE_NAME : PLAIN_NAME, attributes(request));
}
