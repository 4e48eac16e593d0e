import {
  type CallHandler,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  SetMetadata,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import type { Observable } from 'rxjs';
import { ApiError } from './api-error.js';
import { isApiRequest } from './api-path.js';

export const JSON_TYPE = 'application/json';
export const CSV_TYPE = 'text/csv';
export const NDJSON_TYPE = 'application/x-ndjson';

/** Where {@link Produces} leaves a route's media types. */
export const PRODUCED_TYPES = 'tidemark:media-types';

/** The media types of a route's success, the preferred one first. Without it a route speaks JSON only. */
export const Produces = (...types: string[]): MethodDecorator => SetMetadata(PRODUCED_TYPES, types);

const wanted = new WeakMap<Request, string>();

/** The media type of the route that the client likes best. */
export function wantedTypeOf(request: Request): string {
  return wanted.get(request) ?? JSON_TYPE;
}

/** Parameter decorator: the media type of the route that the client likes best. */
export const WantedType = createParamDecorator((_: unknown, context: ExecutionContext): string =>
  wantedTypeOf(context.switchToHttp().getRequest<Request>()),
);

/** 406 where the client accepts nothing that the route speaks. Problem details are JSON too. */
@Injectable()
export class MediaTypeInterceptor implements NestInterceptor {
  constructor(private readonly reflector: Reflector) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<Request>();
    if (isApiRequest(request)) {
      const types = this.reflector.get<string[] | undefined>(PRODUCED_TYPES, context.getHandler()) ?? [JSON_TYPE];
      const type = request.accepts(types) || (request.accepts('application/problem+json') && types[0]);
      if (!type) throw new ApiError('not_acceptable', `This route speaks: ${types.join(', ')}.`);
      wanted.set(request, type);
    }
    return next.handle();
  }
}
