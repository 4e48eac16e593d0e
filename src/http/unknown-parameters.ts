import { applyDecorators, type CanActivate, type ExecutionContext, Injectable, SetMetadata } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { Reflector } from '@nestjs/core';
import { ApiExtension } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { validationFailed } from './errors/api-error.js';
import { QueryPipe, unknownNames } from './input/query.pipe.js';

/** Where {@link IgnoresUnknownParameters} leaves its mark for the guard and, until it is put together, in the document. */
export const IGNORES_UNKNOWN_PARAMETERS = 'x-ignores-unknown-parameters';

/** For a route whose clients may send parameters that it does not have: a `Warning` header names them. */
export const IgnoresUnknownParameters = (): MethodDecorator =>
  applyDecorators(SetMetadata(IGNORES_UNKNOWN_PARAMETERS, true), ApiExtension(IGNORES_UNKNOWN_PARAMETERS, true));

interface RouteArgument {
  pipes: unknown[];
}

/**
 * Refuses query parameters on routes that take none. A route with a {@link QueryPipe} refuses unknown ones there, with
 * all other problems, unless it ignores them: then they are taken away before the pipe sees them.
 */
@Injectable()
export class UnknownParametersGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    if (!request.originalUrl.includes('?')) return true;
    const pipe = queryPipeOf(context);
    if (!pipe) refuse(unknownNames(request.query, []));
    else if (this.reflector.get<boolean | undefined>(IGNORES_UNKNOWN_PARAMETERS, context.getHandler())) {
      ignore(unknownNames(request.query, pipe.names), request, context.switchToHttp().getResponse<Response>());
    }
    return true;
  }
}

function refuse(names: string[]): void {
  if (names.length > 0) throw validationFailed(names.map((name) => `${name} is not a parameter of this route`));
}

function ignore(names: string[], request: Request, response: Response): void {
  if (names.length === 0) return;
  const isKnown = ([key]: [string, unknown]) => !names.includes(key) && !names.includes(key.replace(/\[.*$/s, ''));
  // In Express, the query is parsed again whenever it is read.
  Object.defineProperty(request, 'query', { value: Object.fromEntries(Object.entries(request.query).filter(isKnown)) });
  const list = names
    .slice(0, MAX_NAMES)
    .map((name) => encodeURIComponent(name.toWellFormed().slice(0, MAX_NAME_CHARS)));
  response.set('Warning', `299 - "Unknown query parameters are ignored: ${list.join(', ')}"`);
}

/** A header must stay small, whatever the client sends. */
const MAX_NAMES = 10;
const MAX_NAME_CHARS = 60;

/** The pipe that reads the query string of a route, from where Nest keeps the arguments of its handlers. */
function queryPipeOf(context: ExecutionContext): QueryPipe<object> | undefined {
  const all = Reflect.getMetadata(ROUTE_ARGS_METADATA, context.getClass(), context.getHandler().name) as
    Record<string, RouteArgument> | undefined;
  const pipes = Object.values(all ?? {}).flatMap((argument) => argument.pipes);
  return pipes.find((pipe): pipe is QueryPipe<object> => pipe instanceof QueryPipe);
}
