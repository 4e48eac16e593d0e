import express, { type Request, type RequestHandler } from 'express';
import { isApiRequest } from '../headers.js';
import { refuseLargeBody } from './json-body.guard.js';

/** Enough to merge 800 pairs of accounts, or to set 1,000 types, at once. */
const MAX_FORM_BYTES = 64 * 1024;
const MAX_FIELDS = 2_000;

const OPTIONS = { limit: MAX_FORM_BYTES, parameterLimit: MAX_FIELDS, extended: false };

/** Reads the forms of pages; programs send JSON only. */
export function readPageForms(): RequestHandler {
  const read = express.urlencoded(OPTIONS);
  return (request, response, next) => {
    if (!isPageForm(request)) return next();
    refuseLargeBody(request, MAX_FORM_BYTES);
    return read(request, response, next);
  };
}

function isPageForm(request: Request): boolean {
  return !isApiRequest(request) && Boolean(request.is('application/x-www-form-urlencoded'));
}
