/** Every way in which a service refuses. The HTTP filter gives each its status, the command line its exit code. */
type DomainErrorCode =
  | 'record_not_found'
  | 'conflict'
  | 'idempotency_conflict'
  | 'cursor_expired'
  | 'validation_failed'
  | 'rate_limit_exceeded'
  | 'provider_error'
  | 'unavailable';

interface DomainErrorParts {
  /** Validation messages, each beginning with the name of the parameter or member. */
  errors?: string[];
  details?: Record<string, unknown>;
  /** When the same request may succeed. */
  retryAfterSeconds?: number;
}

/** A refusal with a message for people; services and repositories throw nothing else on purpose. */
export class DomainError extends Error {
  override readonly name = 'DomainError';

  constructor(
    readonly code: DomainErrorCode,
    message: string,
    readonly parts: DomainErrorParts = {},
  ) {
    super(message);
  }
}

/** Has all problems; the first one is the message. */
export function validationFailed(errors: string[]): DomainError {
  return new DomainError('validation_failed', errors[0] ?? 'the request is invalid', { errors });
}

/**
 * The caller has reached a limit of its own.
 *
 * @param details more for programs
 */
export function rateLimitExceeded(
  message: string,
  limit: number,
  waitSeconds: number,
  details: object = {},
): DomainError {
  return new DomainError('rate_limit_exceeded', message, {
    details: { limit, reset_in_seconds: waitSeconds, ...details },
    retryAfterSeconds: waitSeconds,
  });
}

/** The same for unknown, malformed and somebody else's ids. */
export function recordNotFound(what: string): DomainError {
  return new DomainError('record_not_found', `${what} not found`);
}
