import { ProviderError } from '../provider-error.js';

/** No connection was made, so nothing was sent. */
export class NotSentError extends ProviderError {}

/** What is wrong with the provider's certificate. */
const CERTIFICATE = /CERT|SELF_SIGNED|LEAF_SIGNATURE/;

interface Failure {
  codes: RegExp;
  words: (code: string) => string;
  /** Whether anything may have reached the provider. */
  isSent: boolean;
}

const FAILURES: readonly Failure[] = [
  {
    codes: /^EPRIVATE$/,
    words: () => 'The provider’s address resolves to this machine or a private network and was not contacted.',
    isSent: false,
  },
  failure(/^(ENOTFOUND|EAI_AGAIN)$/, 'The provider’s address was not found', false),
  failure(/^ECONNREFUSED$/, 'The provider refused the connection', false),
  failure(/^(EHOSTUNREACH|ENETUNREACH)$/, 'This server has no route to the provider', false),
  failure(/^(ECONNRESET|ECONNABORTED|EPIPE)$/, 'The connection to the provider was cut off', true),
  failure(CERTIFICATE, 'The provider’s certificate cannot be trusted, so nothing was sent', false),
  failure(/^/, 'The connection to the provider failed', true),
];

/** A failure whose sentence ends with the error code. */
function failure(codes: RegExp, sentence: string, isSent: boolean): Failure {
  return { codes, words: (code) => `${sentence} (${code}).`, isSent };
}

/** The error code, `ECONNRESET`. Never the message, which may hold the address. */
export function codeOf(error: unknown): string {
  const { code } = error as { code?: unknown };
  // Only the deadline cancels a request that is still waited for.
  if (code === 'ERR_CANCELED') return 'timeout';
  return typeof code === 'string' ? code : 'unknown';
}

/** A network error as a sentence for a person. */
export function networkError(code: string, timeoutMs: number): ProviderError {
  if (code === 'timeout')
    return new ProviderError('network', `The provider did not answer within ${timeoutMs / 1000} s.`);
  const { words, isSent } = FAILURES.find(({ codes }) => codes.test(code))!;
  return isSent ? new ProviderError('network', words(code)) : new NotSentError('network', words(code));
}

/**
 * Whether a network error may be transient, by its code. An untrusted certificate and a refused address are permanent.
 */
export function isTransientError(code: string): boolean {
  return !/^(EPRIVATE|ERR_INVALID_URL)$|TLS|SSL/.test(code) && !CERTIFICATE.test(code);
}
