/** The kinds of provider errors, as in `details.kind` and in the problems of a sync. */
export const PROVIDER_ERROR_KINDS = [
  'token_rejected',
  'access_revoked',
  'payment_required',
  'rate_limited',
  'network',
  'unexpected_reply',
  'answer_too_large',
  'amount_too_large',
  'account_failed',
  'data_incomplete',
  'unsupported_currency',
] as const;

export type ProviderErrorKind = (typeof PROVIDER_ERROR_KINDS)[number];

/** An error of a part of a snapshot, with a sentence that a person can act on. */
export interface ProviderProblem {
  kind: ProviderErrorKind;
  message: string;
  /** External id of the account; absent: it concerns an institution or the whole connection. */
  accountExternalId?: string;
  /** Only days before those that came are missing, which is no problem where they are stored already. */
  isOfOlderDays?: true;
}

const TRANSIENT: ReadonlySet<ProviderErrorKind> = new Set(['rate_limited', 'network', 'unexpected_reply']);
const NEEDS_PERSON: ReadonlySet<ProviderErrorKind> = new Set(['token_rejected', 'access_revoked', 'payment_required']);

/** A provider refused or failed. The message is a sentence for a person. Neither it nor the cause holds a secret. */
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

  /** Whether the same request may succeed later by itself. */
  get retryable(): boolean {
    return TRANSIENT.has(this.kind);
  }

  /** Whether the connection fails until a person acts. */
  get needsPerson(): boolean {
    return NEEDS_PERSON.has(this.kind);
  }
}

/** The pasted text cannot be a secret of this provider. Nothing was contacted, nothing stored. */
export class ProviderInputError extends Error {
  override readonly name = 'ProviderInputError';
}
