import type { WholeAnswer } from './retry.js';
import type { Schemas } from './routes.js';

/** A refusal of the service. */
export class TidemarkError extends Error {
  override readonly name = 'TidemarkError';

  constructor(
    readonly status: number,
    /** For programs: `validation_failed`, `rate_limit_exceeded`, … */
    readonly code: string,
    message: string,
    readonly body: Schemas['ErrorResponse'] | null,
    /** Names the request in the service's log. */
    readonly requestId: string | null,
  ) {
    super(message);
  }

  /** The problems of a 422. */
  get errors(): readonly string[] {
    return this.body?.errors ?? [];
  }
}

/** Of an answer whose status is no success. */
export function errorOf({ status, headers, text }: WholeAnswer): TidemarkError {
  const body = parse(text);
  const message = body?.message ?? `The service answered ${status}.`;
  return new TidemarkError(status, body?.error ?? 'unexpected_answer', message, body, headers.get('x-request-id'));
}

/** `null` where a proxy answered, and not the service. */
function parse(text: string): Schemas['ErrorResponse'] | null {
  try {
    const body = JSON.parse(text) as Partial<Schemas['ErrorResponse']> | null;
    return typeof body?.error === 'string' ? (body as Schemas['ErrorResponse']) : null;
  } catch {
    return null;
  }
}
