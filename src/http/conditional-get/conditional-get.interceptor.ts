import { hash } from 'node:crypto';
import { once } from 'node:events';
import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  SetMetadata,
  StreamableFile,
  UseInterceptors,
} from '@nestjs/common';
import { ModuleRef, Reflector } from '@nestjs/core';
import { ApiResponse } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { map, mergeMap, type Observable, of } from 'rxjs';
import { VERSION } from '../../config/version.js';
import { dateInTimeZone } from '../../time/calendar-date.js';
import { Clock } from '../../time/clock.js';
import { callerOf } from '../caller.js';
import { wantedTypeOf } from '../export/media-type.js';
import { setPageLinks } from '../pagination/page-links.interceptor.js';
import { RevisedAnswer, Revisions } from './revisions.js';

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
    UseInterceptors(ConditionalGetInterceptor),
    ApiResponse({ status: 304, description: 'Nothing changed since the answer with this `ETag`.' }),
  );
}

/**
 * Gives a list an `ETag` and page links, and answers 304 to a client that has that version already, without reading the
 * list. The tag depends on the person, the accounts that the key is limited to, the URL, the media type, the day, the
 * version of the program and the revision.
 */
@Injectable()
export class ConditionalGetInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly moduleRef: ModuleRef,
    private readonly clock: Clock,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    const condition = request.get('if-none-match');
    const options = this.reflector.get<ConditionalGetOptions>(CONDITIONAL_GET, context.getHandler());
    if (options.isRevisionInAnswer && condition === undefined) {
      return next.handle().pipe(
        map((result: RevisedAnswer<unknown>) => {
          const { answer, revision } = result;
          if (revision !== null) setValidators(response, this.#tag(request, revision));
          setPageLinks(request, response, answer);
          return answer;
        }),
      );
    }
    // Read before the list, so that a tag is never newer than its answer.
    const revisions = this.moduleRef.get(options.revisions, { strict: false });
    const tag = this.#tag(request, await revisions.of(callerOf(request).userId));
    if (namesTag(condition, tag)) return of(notModified(response, tag));
    // `*` asks whether there is any version, which only the handler knows: it throws where there is none.
    if (condition?.trim() === '*')
      return next.handle().pipe(mergeMap((result) => discard(response, tag, answerOf(result))));
    return next.handle().pipe(
      map((result: unknown) => {
        const answer = answerOf(result);
        setValidators(response, tag);
        setPageLinks(request, response, answer);
        return answer;
      }),
    );
  }

  #tag(request: Request, revision: string): string {
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

function answerOf(result: unknown): unknown {
  return result instanceof RevisedAnswer ? result.answer : result;
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
