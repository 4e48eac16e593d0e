import type { ProviderError } from '../bank-provider/provider-error.js';

/** Each of them was tried four times already. */
const FAILURES_TO_STOP = 3;

/** When to leave a provider alone: once it turns requests away, and after some that failed one after the other. */
export class Patience {
  #lostOver: ProviderError | null = null;
  #failuresInARow = 0;

  /** What was too much; `null`: asking on makes sense. */
  get lostOver(): ProviderError | null {
    return this.#lostOver;
  }

  succeeded(): void {
    this.#failuresInARow = 0;
  }

  failed(error: ProviderError): void {
    this.#failuresInARow = error.kind === 'network' ? this.#failuresInARow + 1 : 0;
    if (error.kind === 'rate_limited' || this.#failuresInARow >= FAILURES_TO_STOP) this.#lostOver = error;
  }
}
