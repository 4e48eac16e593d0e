import type { IncomingMessage } from 'node:http';
import express, { type RequestHandler } from 'express';
import { ConcurrencyLimiter } from '../limits/concurrency-limiter.js';
import { limitLargeBodies, limitSlowBodies } from './body-limits.js';

const MAX_FORM_BYTES = 16 * 1024;

const isPageForm = ({ url = '', headers }: IncomingMessage) =>
  !url.startsWith('/api/') && (headers['content-type'] ?? '').startsWith('application/x-www-form-urlencoded');

/**
 * Reads the forms of pages; the API takes JSON only. The session is not known yet, so clients are limited by address.
 */
export function readPageForms(): RequestHandler {
  const limiter = new ConcurrencyLimiter('unfinished forms', { perCaller: { address: 20 }, perInstance: 200 });
  const parse = limitLargeBodies(
    express.urlencoded({ limit: MAX_FORM_BYTES, extended: false, type: isPageForm }),
    MAX_FORM_BYTES,
  );
  const read = limitSlowBodies(parse, limiter, ({ ip: address = '' }) => ({ address }));
  return (request, response, next) => (isPageForm(request) ? read(request, response, next) : next());
}
