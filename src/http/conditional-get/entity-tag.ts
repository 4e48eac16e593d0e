import { hash } from 'node:crypto';
import type { Request, Response } from 'express';

/** A weak validator (RFC 9110) of everything that an answer depends on. */
export function weakTag(parts: readonly string[]): string {
  return `W/"${hash('sha256', JSON.stringify(parts), 'base64url').slice(0, 22)}"`;
}

/** Whether `If-None-Match` names a tag; compared weakly, as the RFC asks. `*` is left to the caller. */
export function namesTag(ifNoneMatch: string | undefined, tag: string): boolean {
  const opaque = (text: string) => text.trim().replace(/^W\//, '');
  return ifNoneMatch?.split(',').some((named) => opaque(named) === opaque(tag)) ?? false;
}

/** The answer may be kept, and must be validated before it is used again. */
export function setValidators(response: Response, tag: string): void {
  response.set({ ETag: tag, 'Cache-Control': 'private, no-cache' });
}

/**
 * Keeps Express from answering 304 to any `If-None-Match: *`: only some routes have validators.
 *
 * @param requests the prototype of all requests of an application
 */
export function disableExpressValidators(requests: Request): void {
  Object.defineProperty(requests, 'fresh', { value: false });
}
