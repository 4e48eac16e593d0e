import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  SetMetadata,
  UseInterceptors,
} from '@nestjs/common';
import { ModuleRef, Reflector } from '@nestjs/core';
import { ApiResponse } from '@nestjs/swagger';
import type { Request } from 'express';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { ConditionalGetService } from './conditional-get.service.js';
import { Revisions } from './revisions.js';

/** Metadata key of `@ConditionalGet`: the source of the revision that the entity tag depends on. */
const REVISIONS = 'tidemark:revisions';

interface ConditionalGetOptions {
  revisions?: RevisionsClass;
  /** Of requests whose answers also depend on what no revision tells: they have no `ETag`. */
  unless?: (request: Request) => boolean;
}

type RevisionsClass = abstract new (...args: never[]) => Revisions;

/** For a list that clients read repeatedly: its answers have an `ETag`, or 304 while nothing changed, and page links. */
export function ConditionalGet({ revisions = Revisions, unless }: ConditionalGetOptions = {}): MethodDecorator {
  return applyDecorators(
    SetMetadata(REVISIONS, { revisions, unless }),
    UseInterceptors(ConditionalGetInterceptor),
    ApiNotModified(),
  );
}

/** Documents that a route answers 304. For one that asks {@link ConditionalGetService} itself. */
export function ApiNotModified(): MethodDecorator {
  return ApiResponse({ status: 304, description: 'Nothing changed since the answer with this `ETag`.' });
}

@Injectable()
class ConditionalGetInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly moduleRef: ModuleRef,
    private readonly conditionalGet: ConditionalGetService,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<Request>();
    const of = this.reflector.get<Required<ConditionalGetOptions>>(REVISIONS, context.getHandler());
    if (of.unless?.(request)) return next.handle();
    const revisions = this.moduleRef.get(of.revisions, { strict: false });
    return from(this.conditionalGet.answer(request, revisions, () => lastValueFrom(next.handle())));
  }
}
