import { DomainError } from '../errors/domain-error.js';

interface BoundedSemaphoreLimits {
  atOnce: number;
  waiting: number;
  waitMs: number;
}

const RETRY_AFTER_SECONDS = 2;

/** Runs a limited number of tasks at once. A few more wait briefly, first come, first served; the rest are refused. */
export class BoundedSemaphore {
  readonly #waiting = new Set<() => void>();
  #running = 0;

  constructor(private readonly limits: BoundedSemaphoreLimits) {}

  /** @throws DomainError `unavailable` when too many tasks wait, or this one has waited for too long */
  async run<T>(task: () => Promise<T>): Promise<T> {
    await this.#acquire();
    try {
      return await task();
    } finally {
      this.#release();
    }
  }

  async #acquire(): Promise<void> {
    if (this.#running < this.limits.atOnce) {
      this.#running++;
      return;
    }
    if (this.#waiting.size >= this.limits.waiting) throw busy();
    await new Promise<void>((resolve, reject) => {
      const start = () => {
        clearTimeout(timer);
        this.#waiting.delete(start);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#waiting.delete(start);
        reject(busy());
      }, this.limits.waitMs);
      this.#waiting.add(start);
    });
  }

  /** The next task in the queue takes over the place. */
  #release(): void {
    const [start] = this.#waiting;
    if (start) start();
    else this.#running--;
  }
}

function busy(): DomainError {
  return new DomainError('unavailable', 'Too many people sign in at this moment. Try again in a few seconds.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
