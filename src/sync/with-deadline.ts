import { ProviderError } from '../providers/provider-error.js';
import { withAbortScope } from '../platform/time/abort-scope.js';

/**
 * Runs work with a deadline. The abort reason is a network error, after which a provider keeps what it has fetched. The
 * next sync fetches the rest.
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
  const limit = `${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`;
  const message = `The provider did not deliver everything within ${limit}, the limit of a sync. The next sync fetches the rest.`;
  return new ProviderError('network', message);
}
