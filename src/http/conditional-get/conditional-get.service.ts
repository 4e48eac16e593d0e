import { hash } from 'node:crypto';
import { once } from 'node:events';
import { Injectable, StreamableFile } from '@nestjs/common';
import type { Request, Response } from 'express';
import { VERSION } from '../../platform/config/version.js';
import { type CalendarDate, dateInTimeZone } from '../../platform/time/calendar-date.js';
import { Clock } from '../../platform/time/clock.js';
import { callerOf } from '../caller.js';
import { wantedTypeOf } from '../export/media-type.guard.js';
import { setPageLinks } from '../pagination/page-links.interceptor.js';
import type { RevisedAnswer, Revisions } from './revisions.js';

/**
 * Gives a list an `ETag` and page links, and answers 304 to a client that has that version already, without reading the
 * list. The tag depends on the person, the accounts that the key is limited to, the URL, the media type, the day, the
 * version of the program and the revision.
 */
@Injectable()
export class ConditionalGetService {
  constructor(private readonly clock: Clock) {}

  /**
   * Reads the revision before the list, so that a tag is never newer than its answer.
   *
   * @returns `undefined` with 304
   */
  async answer<Answer>(
    request: Request,
    revisions: Revisions,
    read: () => Promise<Answer>,
  ): Promise<Answer | undefined> {
    return this.#answer(request, revisions, read, dateInTimeZone(this.clock.now(), callerOf(request).timeZone));
  }

  async #answer<Answer>(
    request: Request,
    revisions: Revisions,
    read: () => Promise<Answer>,
    today?: CalendarDate,
  ): Promise<Answer | undefined> {
    const response = request.res!;
    const condition = request.get('if-none-match');
    const tag = tagOf(request, await revisions.readRevision(callerOf(request).userId), today);
    if (namesTag(condition, tag)) return notModified(response, tag);
    const answer = await read();
    // `*` asks whether there is any version, which only the list knows: reading it throws where there is none.
    if (condition?.trim() === '*') return discard(response, tag, answer);
    setValidators(response, tag);
    setPageLinks(request, response, answer);
    return answer;
  }

  /**
   * The same for a list that does not move with the day, and that brings its revision: a request without a condition needs
   * no query for it.
   */
  async answerRevised<Answer>(
    request: Request,
    revisions: Revisions,
    read: () => Promise<RevisedAnswer<Answer>>,
  ): Promise<Answer | undefined> {
    if (request.get('if-none-match') !== undefined) {
      return this.#answer(request, revisions, async () => (await read()).answer);
    }
    const response = request.res!;
    const { answer, revision } = await read();
    setValidators(response, tagOf(request, revision));
    setPageLinks(request, response, answer);
    return answer;
  }
}

/** @param today where the answer moves with the day of the caller */
function tagOf(request: Request, revision: string, today: CalendarDate = ''): string {
  const { userId, accountIds } = callerOf(request);
  return weakTag([userId, ...(accountIds ?? []), revision, request.originalUrl, wantedTypeOf(request), today, VERSION]);
}

function notModified(response: Response, tag: string): undefined {
  response.status(304);
  setValidators(response, tag);
}

/** Waits until the export has ended and its place is free: the client may ask for the next one at once. */
async function discard(response: Response, tag: string, answer: unknown): Promise<undefined> {
  if (answer instanceof StreamableFile) {
    const stream = answer.getStream();
    const closed = once(stream, 'close');
    stream.destroy();
    await closed;
  }
  return notModified(response, tag);
}

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
function setValidators(response: Response, tag: string): void {
  response.setHeader('ETag', tag);
  response.setHeader('Cache-Control', 'private, no-cache');
}

/**
 * Keeps Express from answering 304 to any `If-None-Match: *`: only some routes have validators.
 *
 * @param requests the prototype of all requests of an application
 */
export function disableExpressValidators(requests: Request): void {
  Object.defineProperty(requests, 'fresh', { value: false });
}
