import { ProviderError } from '../../bank-provider/provider-error.js';
import { withAbortScope } from '../../time/abort-scope.js';

/**
 * Work that is called off after so long. The reason is one that a provider's code treats as trouble of the network: what
 * came until then is kept, the rest is asked for by the next sync.
 *
 * @param signal calls it off earlier, for good
 */
export function withDeadline<T>(
  timeoutMs: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return withAbortScope({ signals: [signal], timeoutMs, timeoutReason: () => tooLong(timeoutMs) }, work);
}

function tooLong(timeoutMs: number): ProviderError {
  const minutes = Math.max(1, Math.round(timeoutMs / 60_000));
  const words = `A sync asks its provider for ${minutes} ${minutes === 1 ? 'minute' : 'minutes'} at most`;
  return new ProviderError('network', `${words}, and that was not enough. What came is kept; the rest comes later.`);
}
