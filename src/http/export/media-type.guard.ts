import { type CanActivate, type ExecutionContext, Injectable, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { ApiError } from '../errors/api-error.js';

export const JSON_TYPE = 'application/json';
export const CSV_TYPE = 'text/csv';
export const NDJSON_TYPE = 'application/x-ndjson';

export const CSV_CONTENT_TYPE = `${CSV_TYPE}; charset=utf-8; header=present`;

/** Metadata key of {@link Produces}. */
const PRODUCED_TYPES = 'tidemark:media-types';

/** The media types of a route's success, the preferred one first. Without it, a route produces JSON only. */
export const Produces = (...types: string[]): MethodDecorator => SetMetadata(PRODUCED_TYPES, types);

const wanted = new WeakMap<Request, string>();

/** The media type of the route that the client prefers. */
export function wantedTypeOf(request: Request): string {
  return wanted.get(request) ?? JSON_TYPE;
}

/** Refuses clients that accept none of the route's media types (406). */
@Injectable()
export class MediaTypeGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    const types = this.reflector.get<string[] | undefined>(PRODUCED_TYPES, context.getHandler()) ?? [JSON_TYPE];
    const accepted = request.accepts(types.map(withParameters));
    if (!accepted) throw new ApiError('not_acceptable', `This route supports: ${types.join(', ')}.`);
    wanted.set(request, types.find((type) => withParameters(type) === accepted) ?? types[0]!);
    return true;
  }
}

/** As in the answer: a client may name its parameters in `Accept`, too. */
function withParameters(type: string): string {
  return type === CSV_TYPE ? CSV_CONTENT_TYPE : `${type}; charset=utf-8`;
}
