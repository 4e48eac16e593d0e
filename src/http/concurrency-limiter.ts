import { DomainError, rateLimitExceeded } from '../platform/domain-error.js';

/** By then another holder may have finished. */
const RETRY_AFTER_SECONDS = 5;

interface ConcurrencyLimits {
  /** How many one caller may hold, by the kind of its id: `key`, `person`, … */
  perCaller: Readonly<Record<string, number>>;
  perInstance: number;
}

/**
 * Counts what callers hold at the same time. Refuses more than a caller's share (429) or the instance's capacity (503).
 */
export class ConcurrencyLimiter {
  readonly #held = new Map<string, number>();
  #total = 0;

  /** @param what the counted things, in the plural, for the message */
  constructor(
    private readonly what: string,
    private readonly limits: ConcurrencyLimits,
  ) {}

  /** How many are held now. */
  get total(): number {
    return this.#total;
  }

  /**
   * Counts one more.
   *
   * @param caller the id for each of the names in `perCaller`
   * @returns a function that releases it; further calls do nothing
   * @throws DomainError `rate_limit_exceeded` or `unavailable`; nothing is counted then
   */
  acquire(caller: Readonly<Record<string, string>>): () => void {
    const { perCaller, perInstance } = this.limits;
    const names = Object.keys(perCaller);
    for (const name of names) {
      const limit = perCaller[name]!;
      if (this.#heldBy(name, caller) < limit) continue;
      const message = `One ${name} may have ${limit} ${this.what} at a time. Try again in a moment.`;
      throw rateLimitExceeded(message, limit, RETRY_AFTER_SECONDS);
    }
    if (this.#total >= perInstance) {
      const message = `There are ${perInstance} ${this.what} under way already. Try again in a moment.`;
      throw new DomainError('unavailable', message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
    }
    for (const name of names) this.#count(name, caller, 1);
    this.#total++;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      for (const name of names) this.#count(name, caller, -1);
      this.#total--;
    };
  }

  #heldBy(name: string, caller: Readonly<Record<string, string>>): number {
    return this.#held.get(holderOf(name, caller)) ?? 0;
  }

  #count(name: string, caller: Readonly<Record<string, string>>, change: number): void {
    const count = this.#heldBy(name, caller) + change;
    if (count > 0) this.#held.set(holderOf(name, caller), count);
    else this.#held.delete(holderOf(name, caller));
  }
}

function holderOf(name: string, caller: Readonly<Record<string, string>>): string {
  return `${name} ${caller[name]}`;
}
