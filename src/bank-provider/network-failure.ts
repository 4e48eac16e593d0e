import { ProviderError } from './provider-error.js';

/** There was no connection, so that nothing was sent. */
export class NotSentError extends ProviderError {}

const NOT_SENT = /^(EPRIVATE|ENOTFOUND|EAI_AGAIN|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH)$|CERT|SELF_SIGNED/;

/** A short name of what went wrong, `ECONNRESET`; never a message, which may hold the address. */
export function codeOf(error: unknown): string {
  const { code } = error as { code?: unknown };
  // Cancelled by the deadline: whoever cancels himself is not told of a failure.
  if (code === 'ERR_CANCELED') return 'timeout';
  return typeof code === 'string' ? code : 'unknown';
}

/** A failure in words for a person. */
export function networkError(code: string, timeoutMs: number): ProviderError {
  if (code === 'timeout')
    return new ProviderError('network', `The provider did not answer within ${timeoutMs / 1000} s.`);
  const words =
    code === 'EPRIVATE'
      ? 'The provider’s address leads to this machine or a private network and was not contacted.'
      : `The provider cannot be reached (${code}).`;
  return NOT_SENT.test(code) ? new NotSentError('network', words) : new ProviderError('network', words);
}
