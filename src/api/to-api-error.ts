import { HttpException } from '@nestjs/common';
import type { Request, Response } from 'express';
import { allowedMethods } from './allowed-methods.js';
import { ApiError } from './api-error.js';
import { requestIdOf } from './request-id.js';

/** Whatever was thrown, in the words of the API. */
export function toApiError(thrown: unknown, request: Request, response: Response): ApiError {
  if (thrown instanceof ApiError) return thrown;
  if (isDatabaseAway(thrown)) {
    return new ApiError('unavailable', 'The database cannot be reached. Try again in a moment.', {
      headers: { 'Retry-After': '5' },
    });
  }
  const status = statusOf(thrown);
  // A path that is not even text after decoding names nothing, like any other malformed id.
  if (status === 404 || !isDecodable(request.path)) return nothingThere(request);
  if (status === 413) return new ApiError('payload_too_large', 'The body is larger than this service accepts.');
  if (status !== null && status < 500)
    return new ApiError('bad_request', 'The request cannot be read: is the body JSON?');
  return new ApiError('internal_server_error', `Something failed on our side. Request id: ${requestIdOf(response)}`);
}

/** 404, or 405 where the path is served with other methods. */
function nothingThere(request: Request): ApiError {
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

/** Of Nest's exceptions and of body-parser's errors, which carry a status of their own. */
function statusOf(thrown: unknown): number | null {
  if (thrown instanceof HttpException) return thrown.getStatus();
  const status = (thrown as { status?: unknown } | null)?.status;
  return typeof status === 'number' ? status : null;
}

const CONNECTION_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  '57P01',
  '57P03',
]);

/** Socket errors and PostgreSQL's own "shutting down", wherever in the chain of causes they are. */
function isDatabaseAway(thrown: unknown): boolean {
  for (let error = thrown, depth = 0; error instanceof Error && depth < 5; error = error.cause, depth++) {
    if (CONNECTION_CODES.has(String((error as { code?: unknown }).code))) return true;
    if (error.message.startsWith('Connection terminated')) return true;
  }
  return false;
}
