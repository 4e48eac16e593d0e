import type { ProviderReply } from '../http/provider-http.js';
import { ProviderError, type ProviderErrorKind } from '../provider-error.js';

/** What an answer other than 200 means. */
export interface Refusal {
  /** One status, or from one to another. */
  status: number | readonly [number, number];
  /** Absent: always. */
  when?: (reply: ProviderReply) => boolean;
  kind: ProviderErrorKind;
  /** A sentence for a person. */
  message: string | ((reply: ProviderReply) => string);
}

export const UNPAID = 'Your subscription at the provider needs to be paid. Once it is, sync this connection.';

/** What they mean of every vendor that says nothing else. */
const USUAL: readonly Refusal[] = [
  { status: 402, kind: 'payment_required', message: UNPAID },
  {
    status: 429,
    kind: 'rate_limited',
    message: ({ status }) => `The provider is limiting requests (status ${status}).`,
  },
  {
    status: [500, 599],
    kind: 'network',
    message: ({ status }) => `The provider is not working at the moment (status ${status}).`,
  },
  {
    // It would send the credential to another host.
    status: [300, 399],
    kind: 'unexpected_reply',
    message: ({ status }) =>
      `The provider redirects to another address, and Tidemark follows no redirects (status ${status}).`,
  },
  {
    status: [0, 999],
    kind: 'unexpected_reply',
    message: ({ status }) => `The provider refuses the request (status ${status}).`,
  },
];

/**
 * The error for an answer other than 200.
 *
 * @param refusals the vendor's own, of which the first that fits counts
 * @param backOffSeconds how long to wait after a rate limit that does not say it
 */
export function refusalError(
  reply: ProviderReply,
  refusals: readonly Refusal[],
  backOffSeconds: number,
): ProviderError {
  const fits = ({ status, when }: Refusal) => {
    const [first, last] = typeof status === 'number' ? [status, status] : status;
    return reply.status >= first && reply.status <= last && (when?.(reply) ?? true);
  };
  const { kind, message } = [...refusals, ...USUAL].find(fits)!;
  const wait = reply.retryAfterSeconds ?? (kind === 'rate_limited' ? backOffSeconds : null);
  const isPause = kind === 'rate_limited' || kind === 'network';
  const words = typeof message === 'string' ? message : message(reply);
  return new ProviderError(kind, words, isPause && wait !== null ? { retryAfterSeconds: wait } : {});
}
