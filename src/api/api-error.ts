/** Every way in which the API refuses, with its status. The codes are part of the contract. */
export const ERROR_STATUS = {
  bad_request: 400,
  unauthorized: 401,
  insufficient_scope: 403,
  record_not_found: 404,
  conflict: 409,
  payload_too_large: 413,
  validation_failed: 422,
  rate_limit_exceeded: 429,
  internal_server_error: 500,
  provider_error: 502,
  unavailable: 503,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

interface ErrorParts {
  /** Validation messages, each beginning with the parameter's name. */
  errors?: string[];
  details?: Record<string, unknown>;
  headers?: Record<string, string>;
}

/** A refusal in the words of the API; the one filter turns it into an `ErrorResponse`. */
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
    return ERROR_STATUS[this.code];
  }
}

/** 422 with all problems; the first one is the message. */
export function validationFailed(errors: string[]): ApiError {
  return new ApiError('validation_failed', errors[0] ?? 'the request is invalid', { errors });
}

/** 404, the same for unknown, malformed and somebody else's ids. */
export function recordNotFound(what: string): ApiError {
  return new ApiError('record_not_found', `${what} not found`);
}
