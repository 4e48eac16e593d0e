import type { Call } from './scenario.js';

/** Beyond it the oldest keys are dropped. */
const MOST_KEYS = 10_000;

interface Remembered {
  /** The scenario that replaces the key's own, if any. */
  scenario: string | null;
  requests: number;
  visit: number;
  /** Whether an account was requested in this sync. */
  isInside: boolean;
}

/** The server's state for each key. */
export class GlobalProviderMemory {
  readonly #keys = new Map<string, Remembered>();

  /** Switches the key to another scenario. */
  play(key: string, scenario: string): void {
    this.#keys.set(key, { ...nothing(), scenario });
  }

  scenarioOf(key: string): string | null {
    return this.#keys.get(key)?.scenario ?? null;
  }

  /** Counts a request. */
  turn(key: string, call: Call): { request: number; visit: number } {
    const remembered = this.#of(key);
    remembered.requests += 1;
    if (call === 'accounts' && remembered.isInside) remembered.visit += 1;
    remembered.isInside = call !== 'accounts';
    return { request: remembered.requests, visit: remembered.visit };
  }

  #of(key: string): Remembered {
    const remembered = this.#keys.get(key) ?? nothing();
    if (!this.#keys.has(key) && this.#keys.size >= MOST_KEYS) {
      const oldest = this.#keys.keys().next();
      if (!oldest.done) this.#keys.delete(oldest.value);
    }
    this.#keys.set(key, remembered);
    return remembered;
  }
}

function nothing(): Remembered {
  return { scenario: null, requests: 0, visit: 1, isInside: false };
}
