import { HttpException } from '@nestjs/common';
import type { Request, Response } from 'express';
import { DomainError, validationFailed } from '../../platform/domain-error.js';
import { ApiError, type ErrorCode } from './api-error.js';
import { type DatabaseFailure, databaseFailure } from './database-failure.js';
import { requestIdOf } from '../../platform/request-context.js';

type Refusal = [code: ErrorCode, message: string];

/** What libraries refuse, by the status of what they throw. */
const REFUSALS: ReadonlyMap<number, Refusal> = new Map([
  [412, ['precondition_failed', 'The file does not match If-Match or If-Unmodified-Since.']],
  [413, ['payload_too_large', 'The body is larger than this service accepts.']],
  [415, ['unsupported_media_type', 'This charset or Content-Encoding is not supported.']],
]);
const UNREADABLE: Refusal = ['bad_request', 'The request cannot be read: is the body JSON?'];

/** The one place that maps errors to HTTP. */
export function toApiError(thrown: unknown, request: Request, response: Response): ApiError {
  if (thrown instanceof ApiError) return thrown;
  if (thrown instanceof DomainError) return ofDomain(thrown);
  const failure = databaseFailure(thrown);
  if (failure) return ofDatabase(failure);
  const status = statusOf(thrown);
  // A path that cannot be decoded names nothing, like a malformed id.
  if (status === 404 || !isDecodable(request.path)) return notFound(request);
  if (status === 416) return rangeNotSatisfiable(thrown);
  if (status !== null && status < 500) return new ApiError(...(REFUSALS.get(status) ?? UNREADABLE));
  return new ApiError('internal_server_error', `Something went wrong. Request id: ${requestIdOf(response)}`);
}

/** Thrown by the static files of the documentation; its headers have the length of the file. */
function rangeNotSatisfiable(thrown: unknown): ApiError {
  const range = (thrown as { headers?: Record<string, string> }).headers?.['Content-Range'];
  return new ApiError('range_not_satisfiable', 'The file has no such range of bytes.', {
    headers: range ? { 'Content-Range': range } : {},
  });
}

function ofDomain({ code, message, parts: { retryAfterSeconds, ...parts } }: DomainError): ApiError {
  const headers: Record<string, string> = retryAfterSeconds ? { 'Retry-After': String(retryAfterSeconds) } : {};
  return new ApiError(code, message, { ...parts, headers });
}

function ofDatabase({ code, message, retryAfterSeconds }: DatabaseFailure): ApiError {
  if (code === 'validation_failed') return ofDomain(validationFailed([message]));
  return ofDomain(new DomainError(code, message, retryAfterSeconds ? { retryAfterSeconds } : {}));
}

/** 404, or 405 where the path is served with other methods. */
function notFound(request: Request): ApiError {
  const methods = allowedMethods(request);
  const there = `${request.method} ${request.path}`;
  if (methods.length === 0) return new ApiError('record_not_found', `There is nothing at ${there}.`);
  const allow = methods.join(', ');
  return new ApiError('method_not_allowed', `There is no ${there}; this path has: ${allow}.`, {
    headers: { Allow: allow },
  });
}

function isDecodable(path: string): boolean {
  try {
    return decodeURIComponent(path) !== '';
  } catch {
    return false;
  }
}

/** Nest's exceptions and body-parser's errors carry a status. */
function statusOf(thrown: unknown): number | null {
  if (thrown instanceof HttpException) return thrown.getStatus();
  const status = (thrown as { status?: unknown } | null)?.status;
  return typeof status === 'number' ? status : null;
}

/** The members of Express' router that this file uses. */
interface Layer {
  route?: { methods: Record<string, boolean> };
  match(path: string): boolean;
}

/** The methods of a path, for `Allow`; empty where no route has the path. */
export function allowedMethods(request: Request, path = request.path): string[] {
  const { stack } = request.app.router as unknown as { stack: Layer[] };
  const methods = new Set<string>();
  for (const layer of stack) {
    // A layer that serves even TRACE is middleware.
    if (!layer.route || layer.route.methods.trace || !matches(layer, path)) continue;
    for (const method of Object.keys(layer.route.methods)) methods.add(method.toUpperCase());
  }
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods].sort();
}

/** Matching decodes the path, and a malformed path throws. */
function matches(layer: Layer, path: string): boolean {
  try {
    return layer.match(path);
  } catch {
    return false;
  }
}
