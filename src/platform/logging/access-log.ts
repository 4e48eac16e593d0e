import { Logger } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { requestIdOf } from '../request-context.js';
import { withLogFields } from './logger.js';

const log = new Logger('Access');

/**
 * Middleware. One line per request at debug, when the answer is sent or the client has left. The query stays out: it may
 * hold an invitation or what a person searched for.
 */
export function logAccess(request: Request, response: Response, next: NextFunction): void {
  const { method, path } = request;
  const startMs = performance.now();
  response.once('close', () => {
    const durationMs = Math.round(performance.now() - startMs);
    const { statusCode: status, writableFinished } = response;
    const fields = { method, path, status, duration_ms: durationMs, ...(!writableFinished && { aborted: true }) };
    // The event may come from elsewhere than the request.
    withLogFields({ request: requestIdOf(response) }, () => {
      log.debug({ message: `${method} ${path} ${status}`, ...fields });
    });
  });
  next();
}
