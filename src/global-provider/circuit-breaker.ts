import type { ProviderError } from '../bank-provider/provider-error.js';

/** Each of these requests was attempted four times. */
const FAILURES_TO_STOP = 3;

/**
 * Opens when the provider limits requests, and after several network errors in a row: no more requests are made then.
 */
export class CircuitBreaker {
  #openedBy: ProviderError | null = null;
  #failuresInARow = 0;

  /** The error that opened it; `null`: it is closed. */
  get openedBy(): ProviderError | null {
    return this.#openedBy;
  }

  recordSuccess(): void {
    this.#failuresInARow = 0;
  }

  recordFailure(error: ProviderError): void {
    this.#failuresInARow = error.kind === 'network' ? this.#failuresInARow + 1 : 0;
    if (error.kind === 'rate_limited' || this.#failuresInARow >= FAILURES_TO_STOP) this.#openedBy = error;
  }
}
