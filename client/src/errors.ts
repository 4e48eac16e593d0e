import type { Schemas } from './routes.js';

/** What the service refused, in its own words. */
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

  /** All problems of a 422. */
  get errors(): readonly string[] {
    return this.body?.errors ?? [];
  }
}

/** @param response whose status is no success */
export async function errorOf(response: Response): Promise<TidemarkError> {
  const text = await response.text();
  const body = parse(text);
  const { status } = response;
  const message = body?.message ?? `The service answered ${status}.`;
  return new TidemarkError(
    status,
    body?.error ?? 'unexpected_answer',
    message,
    body,
    response.headers.get('x-request-id'),
  );
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
