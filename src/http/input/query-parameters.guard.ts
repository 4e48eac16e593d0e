import {
  applyDecorators,
  type CanActivate,
  type ExecutionContext,
  Injectable,
  SetMetadata,
  type Type,
} from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { Reflector } from '@nestjs/core';
import { ApiExtension } from '@nestjs/swagger';
import { getMetadataStorage } from 'class-validator';
import type { Request, Response } from 'express';
import { validationFailed } from '../../platform/domain-error.js';

/** The parameters of a query class: each property that class-validator knows. */
export function queryParametersOf(queryClass: Type): ReadonlySet<string> {
  const rules = getMetadataStorage().getTargetValidationMetadatas(queryClass, '', false, false);
  return new Set(rules.map(({ propertyName }) => propertyName));
}

/** The names in a query string, without brackets, that are not among the known ones. */
function unknownNames(query: object, known: ReadonlySet<string>): string[] {
  const names = new Set(Object.keys(query).map(withoutBrackets));
  return [...names].filter((name) => !known.has(name));
}

/**
 * The known parameters as plain text. A blank one counts as absent. One that is unknown, repeated or has brackets is a
 * problem.
 */
export function plainParameters(
  query: Record<string, unknown>,
  known: ReadonlySet<string>,
): { parameters: Record<string, string>; problems: string[] } {
  const problems = unknownNames(query, known).map(notAParameter);
  const parameters: Record<string, string> = {};
  for (const [key, value] of Object.entries(query)) {
    const name = withoutBrackets(key);
    if (!known.has(name)) continue;
    if (name !== key || typeof value !== 'string') problems.push(`${name} must be given once, as plain text`);
    else if (value.trim() !== '') parameters[name] = value;
  }
  return { parameters, problems };
}

/** Marks the route for the guard and, as an extension, its operation until the document is completed. */
export const IGNORES_UNKNOWN_PARAMETERS = 'x-ignores-unknown-parameters';

/** For a route whose clients may send parameters that it does not have: a `Warning` header names them. */
export const IgnoresUnknownParameters = (): MethodDecorator =>
  applyDecorators(SetMetadata(IGNORES_UNKNOWN_PARAMETERS, true), ApiExtension(IGNORES_UNKNOWN_PARAMETERS, true));

/** A header must stay small, whatever the client sends. */
const MAX_NAMES = 10;
const MAX_NAME_CHARS = 60;

/** Metadata key of {@link TakesParameters}. */
const PARAMETERS = 'tidemark:parameters';

/**
 * Notes the query parameters of a route for the guard: those of the class of its `@Query()` argument, none without one.
 * Arguments are decorated before their method, and asking class-validator takes longer than anything else the guard does.
 */
export const TakesParameters: MethodDecorator = (controller, name, route) => {
  const queryClass = queryClassOf(controller, name);
  SetMetadata(PARAMETERS, queryClass ? queryParametersOf(queryClass) : new Set())(controller, name, route);
};

/**
 * Refuses query parameters on routes that take none. Where a route has a query class, the validation pipe refuses unknown
 * ones together with all other problems; a route that ignores them loses them here, before the pipe.
 */
@Injectable()
export class QueryParametersGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    if (!request.originalUrl.includes('?')) return true;
    const route = context.getHandler();
    const known = this.reflector.get<ReadonlySet<string>>(PARAMETERS, route);
    if (known.size === 0) refuse(unknownNames(request.query, known));
    else if (this.reflector.get<boolean | undefined>(IGNORES_UNKNOWN_PARAMETERS, route)) {
      ignore(unknownNames(request.query, known), request, http.getResponse<Response>());
    }
    return true;
  }
}

function refuse(names: string[]): void {
  if (names.length > 0) throw validationFailed(names.map(notAParameter));
}

function ignore(names: string[], request: Request, response: Response): void {
  if (names.length === 0) return;
  const isKnown = ([key]: [string, unknown]) => !names.includes(withoutBrackets(key));
  replaceQuery(request, Object.fromEntries(Object.entries(request.query).filter(isKnown)));
  const list = names
    .slice(0, MAX_NAMES)
    .map((name) => encodeURIComponent(name.toWellFormed().slice(0, MAX_NAME_CHARS)));
  response.set('Warning', `299 - "Unknown query parameters are ignored: ${list.join(', ')}"`);
}

/** Express parses the query again on each access, so assigning to it does nothing. */
export function replaceQuery(request: Request, value: object): void {
  Object.defineProperty(request, 'query', { value, configurable: true });
}

function notAParameter(name: string): string {
  return `${name} is not a parameter of this route`;
}

function withoutBrackets(key: string): string {
  return key.replace(/\[.*$/s, '');
}

/** The class of a route's `@Query()` argument, from the metadata of Nest and TypeScript. */
function queryClassOf(controller: object, name: string | symbol): Type | undefined {
  const routeArguments = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller.constructor, name) ?? {}) as object;
  const key = Object.keys(routeArguments).find((each) => each.startsWith(`${RouteParamtypes.QUERY}:`));
  if (key === undefined) return undefined;
  const types = Reflect.getMetadata('design:paramtypes', controller, name) as Type[];
  return types[Number(key.split(':')[1])];
}
