import { type ArgumentsHost, Catch, type ExceptionFilter, Logger } from '@nestjs/common';
import type { Request, Response } from 'express';
import { DomainError } from '../../platform/domain-error.js';
import { ApiError } from './api-error.js';
import { toErrorResponse } from './error-response.js';
import { requestIdOf } from '../../platform/request-context.js';
import { toApiError } from './to-api-error.js';

/** The one place that writes an error's body. An unexpected error reveals nothing of the inside. */
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
    if (error.code === 'unavailable' && !(thrown instanceof ApiError) && !(thrown instanceof DomainError)) {
      this.#log.warn(`${request.method} ${request.path} was answered ${error.status}: ${String(thrown)}`);
    }
    if (response.headersSent) {
      response.destroy();
      return;
    }
    // It is about the list, which is not sent.
    response.removeHeader('Warning');
    response.set(error.parts.headers ?? {});
    this.write(error, thrown, request, response);
  }

  /** Sends the error; pages override it. */
  protected write(error: ApiError, _thrown: unknown, _request: Request, response: Response): void {
    // A file may have set another type already.
    response
      .status(error.status)
      .type('application/json')
      .send(JSON.stringify(toErrorResponse(error)));
  }
}
