import { ERRORS, type ErrorCode } from '../../http/errors/api-error.js';
import type { ErrorResponse } from '../../http/errors/error-response.js';

/** An example of each error. */
const EXAMPLES: Record<ErrorCode, Omit<ErrorResponse, 'error'>> = {
  bad_request: { message: 'The request cannot be read: is the body JSON?' },
  unauthorized: { message: 'Send a valid API key in the X-Api-Key header.' },
  insufficient_scope: { message: 'This API key lacks the scope balances:read.' },
  record_not_found: { message: 'account not found' },
  method_not_allowed: { message: 'There is no PUT /api/v1/balances; this path has: GET, HEAD.' },
  not_acceptable: { message: 'This route supports: application/json.' },
  conflict: { message: 'This credential is already connected.' },
  idempotency_conflict: { message: 'A request with this Idempotency-Key is still running.' },
  cursor_expired: {
    message: 'The changes since this cursor are no longer stored. Start again with an empty copy and without a cursor.',
  },
  precondition_failed: { message: 'If-Match matches no version, since entity tags are weak here.' },
  payload_too_large: { message: 'The body is larger than this service accepts.' },
  unsupported_media_type: { message: 'Send a JSON object with Content-Type: application/json.' },
  range_not_satisfiable: { message: 'The file has no such range of bytes.' },
  misdirected_request: {
    message: 'This service does not answer for the host money.example. If the name is right, add it to ALLOWED_HOSTS.',
  },
  validation_failed: {
    message: 'start_date must be a date (YYYY-MM-DD)',
    errors: ['start_date must be a date (YYYY-MM-DD)', 'currency must be a currency code of three letters'],
  },
  rate_limit_exceeded: {
    message: 'This API key may make 600 requests per minute.',
    details: { limit: 600, reset_in_seconds: 23 },
  },
  internal_server_error: { message: 'Something went wrong. Request id: 3d1c0a52-7d2c-4a6a-9c39-5c2f0f4f7f11' },
  provider_error: {
    message: 'The provider refused the token: it was used before, has expired or was revoked. Create a new one.',
    details: { kind: 'token_rejected' },
  },
  unavailable: { message: 'The database cannot be reached. Try again in a moment.' },
};

/** The first error with this status. */
export function codeOfStatus(status: number): ErrorCode {
  const code = (Object.keys(ERRORS) as ErrorCode[]).find((name) => ERRORS[name].status === status);
  if (!code) throw new Error(`no error code has status ${status}`);
  return code;
}

export function exampleOfError(code: ErrorCode): ErrorResponse {
  return { error: code, ...EXAMPLES[code] };
}

/** The errors as a table in Markdown. */
export function errorTable(): string {
  const rows = Object.entries(ERRORS).map(
    ([code, { status, title, action }]) => `| ${status} | \`${code}\` | ${title} | ${action} |`,
  );
  return ['| Status | `error` | When | What to do |', '| --- | --- | --- | --- |', ...rows].join('\n');
}
