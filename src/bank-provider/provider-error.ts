/** The kinds of trouble a provider can cause, as they appear in `details.kind` and in problems on our API. */
export const PROVIDER_ERROR_KINDS = [
  'token_rejected',
  'access_revoked',
  'payment_required',
  'rate_limited',
  'network',
  'unexpected_reply',
  'answer_too_large',
  'account_failed',
  'data_incomplete',
  'unsupported_currency',
] as const;

export type ProviderErrorKind = (typeof PROVIDER_ERROR_KINDS)[number];

/** Trouble that concerns a part of a snapshot, in words a person can act on. */
export interface ProviderProblem {
  kind: ProviderErrorKind;
  message: string;
  /** The account it concerns, by external id; absent when it concerns an institution or the whole connection. */
  accountExternalId?: string;
}

const PASSING: ReadonlySet<ProviderErrorKind> = new Set(['rate_limited', 'network', 'unexpected_reply']);
const NEEDS_PERSON: ReadonlySet<ProviderErrorKind> = new Set(['token_rejected', 'access_revoked', 'payment_required']);

/** A provider refused or failed. The message is a sentence for a person; neither it nor the cause holds a secret. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';

  constructor(
    readonly kind: ProviderErrorKind,
    message: string,
    options?: ErrorOptions & { retryAfterSeconds?: number },
  ) {
    super(message, options);
    this.retryAfterSeconds = options?.retryAfterSeconds ?? null;
  }

  readonly retryAfterSeconds: number | null;

  /** Whether the same request may succeed later without anybody doing anything. */
  get retryable(): boolean {
    return PASSING.has(this.kind);
  }

  /** Whether the connection stays broken until a person acts at the provider or here. */
  get needsPerson(): boolean {
    return NEEDS_PERSON.has(this.kind);
  }
}

/** What a person pasted cannot be a secret of this provider. Becomes a 422; nothing was contacted, nothing stored. */
export class ProviderInputError extends Error {
  override readonly name = 'ProviderInputError';
}
