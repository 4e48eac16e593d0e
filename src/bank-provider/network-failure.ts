import { ProviderError } from './provider-error.js';

/** No connection was made, so nothing was sent. */
export class NotSentError extends ProviderError {}

const NOT_SENT = /^(EPRIVATE|ENOTFOUND|EAI_AGAIN|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH)$|CERT|SELF_SIGNED/;

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
  const words =
    code === 'EPRIVATE'
      ? 'The provider’s address leads to this machine or a private network and was not contacted.'
      : `The provider cannot be reached (${code}).`;
  return NOT_SENT.test(code) ? new NotSentError('network', words) : new ProviderError('network', words);
}
