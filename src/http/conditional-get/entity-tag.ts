import { hash } from 'node:crypto';
import type { Request, Response } from 'express';

/** A weak validator (RFC 9110) of everything that decides an answer. */
export function weakTag(parts: readonly string[]): string {
  return `W/"${hash('sha256', JSON.stringify(parts), 'base64url').slice(0, 22)}"`;
}

/** Whether `If-None-Match` names a tag; compared weakly, as the RFC asks for here. `*` is another question. */
export function namesTag(ifNoneMatch: string | undefined, tag: string): boolean {
  const opaque = (text: string) => text.trim().replace(/^W\//, '');
  return ifNoneMatch?.split(',').some((named) => opaque(named) === opaque(tag)) ?? false;
}

/** The answer with its tag: it may be kept, and must be asked about before it is used again. */
export function validated<Answer>(response: Response, tag: string, answer: Answer): Answer {
  response.set({ ETag: tag, 'Cache-Control': 'private, no-cache' });
  return answer;
}

/** 304 and no body, for whoever has the answer of this tag. */
export function unchanged(response: Response, tag: string): undefined {
  response.status(304);
  return validated(response, tag, undefined);
}

/**
 * Express would answer 304 to any `If-None-Match: *`: which answers have a validator is for the routes to say.
 *
 * @param requests what all requests of an application inherit from
 */
export function noOtherValidators(requests: Request): void {
  Object.defineProperty(requests, 'fresh', { value: false });
}
