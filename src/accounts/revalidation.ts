import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  SetMetadata,
  UseInterceptors,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiResponse } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { map, type Observable, of } from 'rxjs';
import { namesTag, unchanged, validated, weakTag } from '../api/entity-tag.js';
import { JSON_TYPE, wantedTypeOf } from '../api/media-type.js';
import { callerOf } from '../auth/caller.js';
import { dateInTimeZone } from '../time/calendar-date.js';
import { Clock } from '../time/clock.js';
import { VERSION } from '../version.js';
import { Revisions } from './revisions.js';

/** Where {@link Revalidated} leaves that a route tells the revision it read. */
export const REVALIDATED = 'tidemark:revalidated';

const told = new WeakMap<Request, string>();

/** For a route that is `Revalidated({ tellsRevision: true })`: the revision that its JSON was read at. */
export function tellRevision(request: Request, revision: string | null): void {
  if (revision !== null) told.set(request, revision);
}

/**
 * Gives a route over a person's accounts an `ETag`, and answers 304 to whoever has that already, without running the
 * route. What is asked, how, by whom, on which day, by which version of the program and the person's revision decide
 * the tag. The revision is read before the answer is, so that a tag is never newer than its answer.
 */
export function Revalidated({ tellsRevision = false } = {}): MethodDecorator {
  return applyDecorators(
    SetMetadata(REVALIDATED, { tellsRevision }),
    UseInterceptors(RevalidationInterceptor),
    ApiResponse({ status: 304, description: 'Nothing changed since the answer with this `ETag`.' }),
  );
}

@Injectable()
export class RevalidationInterceptor implements NestInterceptor {
  constructor(
    private readonly revisions: Revisions,
    private readonly clock: Clock,
    private readonly reflector: Reflector,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> | Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    const condition = request.get('if-none-match');
    const { tellsRevision } = this.reflector.get<{ tellsRevision: boolean }>(REVALIDATED, context.getHandler());
    const isTold = tellsRevision && wantedTypeOf(request) === JSON_TYPE;
    if (!condition && isTold) return this.#answer(request, response, next, null);
    return this.revisions.of(callerOf(request).userId).then((revision) => {
      const tag = this.#tag(request, revision);
      return namesTag(condition, tag) ? of(unchanged(response, tag)) : this.#answer(request, response, next, revision);
    });
  }

  /** @param before the revision before the route runs; `null` where the route tells it */
  #answer(request: Request, response: Response, next: CallHandler, before: string | null): Observable<unknown> {
    return next.handle().pipe(
      map((answer: unknown) => {
        const revision = before ?? told.get(request);
        if (revision === undefined) return answer;
        const tag = this.#tag(request, revision);
        if (request.get('if-none-match')?.trim() === '*') return unchanged(response, tag);
        return validated(response, tag, answer);
      }),
    );
  }

  #tag(request: Request, revision: string): string {
    const { userId, timeZone } = callerOf(request);
    const today = dateInTimeZone(this.clock.now(), timeZone);
    return weakTag([userId, revision, request.originalUrl, wantedTypeOf(request), today, VERSION]);
  }
}
