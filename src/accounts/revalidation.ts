import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  SetMetadata,
  StreamableFile,
  type Type,
  UseInterceptors,
} from '@nestjs/common';
import { ModuleRef, Reflector } from '@nestjs/core';
import { ApiResponse } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { map, type Observable, of } from 'rxjs';
import { namesTag, unchanged, validated, weakTag } from '../api/entity-tag.js';
import { JSON_TYPE, wantedTypeOf } from '../api/media-type.js';
import { linked } from '../api/page-links.js';
import { callerOf } from '../auth/caller.js';
import { dateInTimeZone } from '../time/calendar-date.js';
import { Clock } from '../time/clock.js';
import { VERSION } from '../version.js';
import { Revisions } from './revisions.js';

/** Tells a text that moves with everything a list of a person's is made of. It must cost less than the list. */
export interface RevisionSource {
  of(userId: string): Promise<string>;
}

interface Revalidation {
  by: Type<RevisionSource>;
  tellsRevision: boolean;
}

/** Where {@link Revalidated} leaves what it was told. */
const REVALIDATED = 'tidemark:revalidated';

const told = new WeakMap<Request, string>();

/** For a route that is `Revalidated({ tellsRevision: true })`: the revision that its JSON was read at. */
export function tellRevision(request: Request, revision: string | null): void {
  if (revision !== null) told.set(request, revision);
}

/**
 * Gives a list an `ETag`, and a page of it its links; answers 304 to whoever has that already, without running the
 * route. What is asked, how, by whom, on which day, by which version of the program and the revision decide the tag. The
 * revision is read before the answer is, so that a tag is never newer than its answer.
 */
export function Revalidated({ by = Revisions, tellsRevision = false }: Partial<Revalidation> = {}): MethodDecorator {
  return applyDecorators(
    SetMetadata(REVALIDATED, { by, tellsRevision } satisfies Revalidation),
    UseInterceptors(RevalidationInterceptor),
    ApiResponse({ status: 304, description: 'Nothing changed since the answer with this `ETag`.' }),
  );
}

@Injectable()
export class RevalidationInterceptor implements NestInterceptor {
  constructor(
    private readonly modules: ModuleRef,
    private readonly clock: Clock,
    private readonly reflector: Reflector,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> | Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    const condition = request.get('if-none-match');
    const { by, tellsRevision } = this.reflector.get<Revalidation>(REVALIDATED, context.getHandler());
    if (!condition && tellsRevision && wantedTypeOf(request) === JSON_TYPE) {
      return next.handle().pipe(map((answer: unknown) => this.#taggedAsTold(request, response, answer)));
    }
    const revisions = this.modules.get<RevisionSource>(by, { strict: false });
    return revisions.of(callerOf(request).userId).then((revision) => {
      const tag = this.#tag(request, revision);
      if (namesTag(condition, tag)) return of(unchanged(response, tag));
      // Whether there is anything at all, only the route knows.
      const isAny = condition?.trim() === '*';
      const answered = (answer: unknown) => {
        if (!isAny) return linked(request, response, validated(response, tag, answer));
        if (answer instanceof StreamableFile) answer.getStream().destroy();
        return unchanged(response, tag);
      };
      return next.handle().pipe(map(answered));
    });
  }

  #taggedAsTold(request: Request, response: Response, answer: unknown): unknown {
    const revision = told.get(request);
    const tagged = revision === undefined ? answer : validated(response, this.#tag(request, revision), answer);
    return linked(request, response, tagged);
  }

  #tag(request: Request, revision: string): string {
    const { userId, timeZone } = callerOf(request);
    const today = dateInTimeZone(this.clock.now(), timeZone);
    return weakTag([userId, revision, request.originalUrl, wantedTypeOf(request), today, VERSION]);
  }
}
