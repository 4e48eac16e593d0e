/** Every error of the API. The codes are part of the contract; titles, and what a caller does, are its documentation. */
export const ERRORS = {
  bad_request: {
    status: 400,
    title: 'The request is malformed; its body is not a JSON object, for example.',
    action: 'Correct the request.',
  },
  unauthorized: { status: 401, title: 'The API key is missing or invalid.', action: 'Send a valid key.' },
  insufficient_scope: {
    status: 403,
    title: 'The API key lacks the scope of this route, or is limited to accounts.',
    action: 'Use another key, with the scope or for all accounts.',
  },
  record_not_found: {
    status: 404,
    title: 'There is no such record.',
    action: 'Read the list again; records of other people answer alike.',
  },
  method_not_allowed: {
    status: 405,
    title: 'The path does not support this method; see `Allow`.',
    action: 'Use one of those.',
  },
  not_acceptable: {
    status: 406,
    title: 'The route supports none of the media types in `Accept`.',
    action: 'Ask for one that `message` names.',
  },
  conflict: {
    status: 409,
    title: 'The request conflicts with stored data.',
    action: 'Do what `message` says. The same request alone is refused again.',
  },
  idempotency_conflict: {
    status: 409,
    title: 'The `Idempotency-Key` is in use, see `Retry-After`. Without that header, check what was stored.',
    action: 'Wait that long, then send the same request again.',
  },
  cursor_expired: {
    status: 410,
    title: 'The changes since this cursor are no longer stored: start again.',
    action: 'Begin with an empty copy and without a cursor.',
  },
  precondition_failed: {
    status: 412,
    title:
      'No record or file matches `If-Match` or `If-Unmodified-Since`. Entity tags of records are weak, so that only ' +
      '`If-Match: *` holds. `If-None-Match: *` holds for nothing that changes data, and no record is looked for.',
    action: 'Leave the condition out.',
  },
  payload_too_large: {
    status: 413,
    title: 'The body is too large.',
    action: 'Send less, or spread it over several requests.',
  },
  unsupported_media_type: {
    status: 415,
    title:
      'The body is not `application/json` (`multipart/form-data` where a file is sent), or in a charset or content ' +
      'coding that is not supported.',
    action: 'Send one of these.',
  },
  range_not_satisfiable: {
    status: 416,
    title: 'The file has no such range of bytes; see `Content-Range`.',
    action: 'Ask for a range within the file.',
  },
  misdirected_request: {
    status: 421,
    title: 'The host in the address is not a name of this service.',
    action: 'Add the name to `ALLOWED_HOSTS`.',
  },
  validation_failed: {
    status: 422,
    title: 'Parameters or members of the body are invalid; `errors` lists them.',
    action: 'Correct what `errors` names.',
  },
  rate_limit_exceeded: {
    status: 429,
    title:
      'A limit of the caller is reached, such as of requests a minute or streams at a time. `message` says which, ' +
      '`details.limit` how much it allows, `Retry-After` and `details.reset_in_seconds` when to try again.',
    action: 'Wait as long as `Retry-After` says.',
  },
  internal_server_error: {
    status: 500,
    title: 'Something went wrong; the log has the request id.',
    action: 'Look for `X-Request-Id` in the log.',
  },
  provider_error: {
    status: 502,
    title: 'A bank-connectivity provider failed or refused, such as a credential; `details.kind` says how.',
    action: 'Do what `message` says, such as to send a new credential.',
  },
  unavailable: {
    status: 503,
    title:
      'The database is unavailable or busy, or the instance has reached a limit or has a wrong clock; see `Retry-After`.',
    action: 'Wait as long as `Retry-After` says, then send the same request again.',
  },
} as const;

export type ErrorCode = keyof typeof ERRORS;

interface ErrorParts {
  /** Validation messages, each beginning with the parameter's name. */
  errors?: string[];
  details?: Record<string, unknown>;
  headers?: Record<string, string>;
}

/** An error in terms of HTTP, for guards and controllers. Services and repositories throw a `DomainError`. */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly parts: ErrorParts = {},
  ) {
    super(message);
  }

  get status(): number {
    return ERRORS[this.code].status;
  }
}

/** 401 with the challenge that RFC 9110 asks for. */
export function unauthorized(message: string): ApiError {
  return new ApiError('unauthorized', message, {
    headers: { 'WWW-Authenticate': 'ApiKey realm="tidemark", header="X-Api-Key"' },
  });
}
