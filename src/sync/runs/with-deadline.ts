import { ProviderError } from '../../bank-provider/provider-error.js';

/**
 * Work that is called off after so long. The reason is one that a provider's code treats as trouble of the network: what
 * came until then is kept, the rest is asked for by the next sync.
 *
 * @param signal calls it off earlier, for good
 */
export async function withDeadline<T>(
  timeoutMs: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(tooLong(timeoutMs)), timeoutMs);
  try {
    return await work(AbortSignal.any([signal, deadline.signal]));
  } finally {
    clearTimeout(timer);
  }
}

function tooLong(timeoutMs: number): ProviderError {
  const minutes = Math.max(1, Math.round(timeoutMs / 60_000));
  const words = `A sync asks its provider for ${minutes} ${minutes === 1 ? 'minute' : 'minutes'} at most`;
  return new ProviderError('network', `${words}, and that was not enough. What came is kept; the rest comes later.`);
}
