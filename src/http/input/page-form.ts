import express, { type Request, type RequestHandler } from 'express';
import { isApiRequest } from '../api-headers.js';
import { clientNetworkOf } from '../client-network.js';
import { ConcurrencyLimiter } from '../limits/concurrency-limiter.js';
import { limitLargeBodies, limitSlowBodies } from './body-limits.js';

/** Enough to merge 800 pairs of accounts, or to set 1,000 types, at once. */
const MAX_FORM_BYTES = 64 * 1024;
const MAX_FIELDS = 2_000;

const OPTIONS = { limit: MAX_FORM_BYTES, parameterLimit: MAX_FIELDS, extended: false };

/**
 * Reads the forms of pages; programs send JSON only. The session is not known yet, so clients are limited by network.
 */
export function readPageForms(): RequestHandler {
  const limiter = new ConcurrencyLimiter('unfinished forms', { perCaller: { address: 20 }, perInstance: 200 });
  const parse = limitLargeBodies(express.urlencoded(OPTIONS), MAX_FORM_BYTES);
  const read = limitSlowBodies(parse, limiter, (request) => ({ address: clientNetworkOf(request) }));
  return (request, response, next) => (isPageForm(request) ? read(request, response, next) : next());
}

function isPageForm(request: Request): boolean {
  return !isApiRequest(request) && Boolean(request.is('application/x-www-form-urlencoded'));
}
