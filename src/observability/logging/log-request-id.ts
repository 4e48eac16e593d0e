import type { NextFunction, Request, Response } from 'express';
import { requestIdOf } from '../../http/request-id.js';
import { withLogFields } from './log-scope.js';

/** Middleware. Every line that a request causes carries its id. */
export function logRequestId(_request: Request, response: Response, next: NextFunction): void {
  withLogFields({ request: requestIdOf(response) }, next);
}
