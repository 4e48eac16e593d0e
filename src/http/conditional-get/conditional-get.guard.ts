import { hash } from 'node:crypto';
import {
  applyDecorators,
  type CanActivate,
  type ExecutionContext,
  Injectable,
  SetMetadata,
  UseGuards,
} from '@nestjs/common';
import { ModuleRef, Reflector } from '@nestjs/core';
import { ApiResponse } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { VERSION } from '../../config/version.js';
import { dateInTimeZone } from '../../time/calendar-date.js';
import { Clock } from '../../time/clock.js';
import { callerOf } from '../caller.js';
import { NotModified } from '../errors/not-modified.js';
import { wantedTypeOf } from '../export/media-type.js';
import { Revisions } from './revisions.js';

/** Metadata key of `@ConditionalGet`. */
const CONDITIONAL_GET = 'tidemark:conditional-get';

interface ConditionalGetOptions {
  /** The source of the revision that the entity tag depends on. */
  revisions: abstract new (...args: never[]) => Revisions;
  /** The handler returns a {@link RevisedAnswer}, so that requests without a condition need no extra query. */
  isRevisionInAnswer?: boolean;
}

/** For a list that clients read repeatedly: its answers have an `ETag`, or 304 while nothing changed, and page links. */
export function ConditionalGet(options: Partial<ConditionalGetOptions> = {}): MethodDecorator {
  return applyDecorators(
    SetMetadata<string, ConditionalGetOptions>(CONDITIONAL_GET, { revisions: Revisions, ...options }),
    UseGuards(ConditionalGetGuard),
    ApiResponse({ status: 304, description: 'Nothing changed since the answer with this `ETag`.' }),
  );
}

/** What the guard notes for {@link setTag}: the tag, or itself, to make it of the revision that comes with the answer. */
const noted = (response: Response) => response.locals as { tag?: string | ConditionalGetGuard };

/**
 * Answers 304 to a client that has that version already, and else notes the tag for {@link setTag}. The tag depends on the
 * person, the accounts that the key is limited to, the URL, the media type, the day, the version of the program and the
 * revision.
 */
@Injectable()
class ConditionalGetGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly moduleRef: ModuleRef,
    private readonly clock: Clock,
  ) {}

  async canActivate(context: ExecutionContext): Promise<true> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    const condition = request.get('if-none-match');
    const options = this.reflector.get<ConditionalGetOptions>(CONDITIONAL_GET, context.getHandler());
    if (options.isRevisionInAnswer && condition === undefined) {
      noted(response).tag = this;
      return true;
    }
    // Read before the list, so that a tag is never newer than its answer.
    const revisions = this.moduleRef.get(options.revisions, { strict: false });
    const tag = this.tagOf(request, await revisions.of(callerOf(request).userId));
    if (namesTag(condition, tag)) throw new NotModified(validators(tag));
    noted(response).tag = tag;
    return true;
  }

  tagOf(request: Request, revision: string): string {
    const { userId, accountIds, timeZone } = callerOf(request);
    const today = dateInTimeZone(this.clock.now(), timeZone);
    return weakTag([
      userId,
      ...(accountIds ?? []),
      revision,
      request.originalUrl,
      wantedTypeOf(request),
      today,
      VERSION,
    ]);
  }
}

/**
 * Gives an answer its entity tag.
 *
 * @param revision that came with it
 * @returns whether the client asked for another answer than it has (`If-None-Match: *`), so that any will do
 */
export function setTag(response: Response, revision: string | null): boolean {
  const { tag: known = null } = noted(response);
  const tag = known instanceof ConditionalGetGuard ? revision && known.tagOf(response.req, revision) : known;
  if (tag !== null) response.set(validators(tag));
  return tag !== null && response.req.get('if-none-match')?.trim() === '*';
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
function validators(tag: string): Record<string, string> {
  return { ETag: tag, 'Cache-Control': 'private, no-cache' };
}

/**
 * Keeps Express from answering 304 to any `If-None-Match: *`: only some routes have validators.
 *
 * @param requests the prototype of all requests of an application
 */
export function disableExpressValidators(requests: Request): void {
  Object.defineProperty(requests, 'fresh', { value: false });
}
