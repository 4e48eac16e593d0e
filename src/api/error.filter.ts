import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Logger } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ApiError, ERROR_STATUS, type ErrorCode } from './api-error.js';
import type { ErrorResponse } from './error-response.js';
import { requestIdOf } from './request-id.js';

/** The one place that writes an error's body. What is not an {@link ApiError} by then says nothing of the inside. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  readonly #log = new Logger('Api');

  catch(thrown: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<Request>();
    const response = host.switchToHttp().getResponse<Response>();
    const error = toApiError(thrown, request, response);
    if (error.code === 'internal_server_error') {
      const { message, stack } = thrown instanceof Error ? thrown : new Error(String(thrown));
      this.#log.error(`${request.method} ${request.path} failed (request ${requestIdOf(response)}): ${message}`, stack);
    }
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const body: ErrorResponse = { error: error.code, message: error.message, ...partsOf(error) };
    response
      .status(error.status)
      .set(error.parts.headers ?? {})
      .json(body);
  }
}

function partsOf({ parts }: ApiError): Pick<ErrorResponse, 'details' | 'errors'> {
  return { ...(parts.details && { details: parts.details }), ...(parts.errors && { errors: parts.errors }) };
}

function toApiError(thrown: unknown, request: Request, response: Response): ApiError {
  if (thrown instanceof ApiError) return thrown;
  if (isDatabaseAway(thrown)) {
    return new ApiError('unavailable', 'The database cannot be reached. Try again in a moment.', {
      headers: { 'Retry-After': '5' },
    });
  }
  const status = statusOf(thrown);
  if (status === 404) return new ApiError('record_not_found', `There is nothing at ${request.method} ${request.path}.`);
  if (status === 413) return new ApiError('payload_too_large', 'The body is larger than this service accepts.');
  if (status !== null && status < 500)
    return new ApiError('bad_request', 'The request cannot be read: is the body JSON?');
  return new ApiError('internal_server_error', `Something failed on our side. Request id: ${requestIdOf(response)}`);
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

/** For documentation: every code with its status. */
export const ERROR_CODES = Object.keys(ERROR_STATUS) as ErrorCode[];
