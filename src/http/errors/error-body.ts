import { type ApiError, ERRORS } from './api-error.js';
import type { ErrorResponse, ProblemResponse } from './error-response.js';

const PROBLEM = 'application/problem+json';

export function toErrorResponse({ code, message, parts }: ApiError): ErrorResponse {
  return {
    error: code,
    message,
    ...(parts.details && { details: parts.details }),
    ...(parts.errors && { errors: parts.errors }),
  };
}

/** The same error as RFC 9457 defines it: its five members, and ours as extensions. */
function toProblemResponse(error: ApiError, path: string): ProblemResponse {
  const { status, title } = ERRORS[error.code];
  return {
    type: `urn:tidemark:error:${error.code}`,
    title,
    status,
    detail: error.message,
    instance: path,
    ...toErrorResponse(error),
  };
}

/**
 * The body of an error and its media type. Only clients that name problem details in `Accept` get them, a wildcard is
 * not enough.
 */
export function errorAnswer(error: ApiError, accept: string, path: string): { type: string; body: ErrorResponse } {
  const asked = accept.toLowerCase().includes(PROBLEM) && !/problem\+json\s*;\s*q=0(\.0*)?\s*(,|$)/i.test(accept);
  if (asked) return { type: PROBLEM, body: toProblemResponse(error, path) };
  return { type: 'application/json', body: toErrorResponse(error) };
}
