import express, { type Request, type RequestHandler } from 'express';
import { isForPrograms } from '../api-headers.js';
import { clientNetworkOf } from '../client-network.js';
import { ConcurrencyLimiter } from '../limits/concurrency-limiter.js';
import { limitLargeBodies, limitSlowBodies } from './body-limits.js';

const MAX_FORM_BYTES = 16 * 1024;

/**
 * Reads the forms of pages; programs send JSON only. The session is not known yet, so clients are limited by network.
 */
export function readPageForms(): RequestHandler {
  const limiter = new ConcurrencyLimiter('unfinished forms', { perCaller: { address: 20 }, perInstance: 200 });
  const parse = limitLargeBodies(express.urlencoded({ limit: MAX_FORM_BYTES, extended: false }), MAX_FORM_BYTES);
  const read = limitSlowBodies(parse, limiter, (request) => ({ address: clientNetworkOf(request) }));
  return (request, response, next) => (isPageForm(request) ? read(request, response, next) : next());
}

function isPageForm(request: Request): boolean {
  return !isForPrograms(request) && Boolean(request.is('application/x-www-form-urlencoded'));
}
