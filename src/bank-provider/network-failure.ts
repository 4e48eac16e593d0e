import { ProviderError } from './provider-error.js';

/** No connection was made, so nothing was sent. */
export class NotSentError extends ProviderError {}

/** What is wrong with the provider's certificate. */
export const CERTIFICATE = /CERT|SELF_SIGNED|LEAF_SIGNATURE/;

const NOT_SENT = /^(EPRIVATE|ENOTFOUND|EAI_AGAIN|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH)$/;

const SENTENCES: readonly (readonly [codes: RegExp, sentence: string])[] = [
  [/^EPRIVATE$/, 'The provider’s address leads to this machine or a private network and was not contacted.'],
  [/^(ENOTFOUND|EAI_AGAIN)$/, 'The provider’s address was not found'],
  [/^ECONNREFUSED$/, 'The provider refused the connection'],
  [/^(EHOSTUNREACH|ENETUNREACH)$/, 'This server has no route to the provider'],
  [/^(ECONNRESET|ECONNABORTED|EPIPE)$/, 'The connection to the provider was cut off'],
  [CERTIFICATE, 'The provider’s certificate cannot be trusted, so nothing was sent'],
  [/^/, 'The connection to the provider failed'],
];

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
  const [, sentence] = SENTENCES.find(([codes]) => codes.test(code))!;
  const words = sentence.endsWith('.') ? sentence : `${sentence} (${code}).`;
  const isSent = !NOT_SENT.test(code) && !CERTIFICATE.test(code);
  return isSent ? new ProviderError('network', words) : new NotSentError('network', words);
}
