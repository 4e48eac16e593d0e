import { type CanActivate, type ExecutionContext, Injectable, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { ApiError } from '../errors/api-error.js';

export const JSON_TYPE = 'application/json';
export const CSV_TYPE = 'text/csv';
export const NDJSON_TYPE = 'application/x-ndjson';

/** Metadata key of {@link Produces}. */
const PRODUCED_TYPES = 'tidemark:media-types';

/** The media types of a route's success, the preferred one first. Without it, a route produces JSON only. */
export const Produces = (...types: string[]): MethodDecorator => SetMetadata(PRODUCED_TYPES, types);

const wanted = new WeakMap<Request, string>();

/** The media type of the route that the client prefers. */
export function wantedTypeOf(request: Request): string {
  return wanted.get(request) ?? JSON_TYPE;
}

/** Refuses clients that accept none of the route's media types (406). Problem details count as JSON. */
@Injectable()
export class MediaTypeGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    const types = this.reflector.get<string[] | undefined>(PRODUCED_TYPES, context.getHandler()) ?? [JSON_TYPE];
    const type = request.accepts(types) || (request.accepts('application/problem+json') && types[0]);
    if (!type) throw new ApiError('not_acceptable', `This route supports: ${types.join(', ')}.`);
    wanted.set(request, type);
    return true;
  }
}
