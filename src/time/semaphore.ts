interface WaitLimits {
  /** How many tasks may wait. */
  waiting: number;
  waitMs: number;
  /** Makes the error of a task that finds no room, or has waited for too long. */
  refusal: () => Error;
}

/** Runs a limited number of tasks at once. The others wait, first come, first served. */
export class Semaphore {
  readonly #waiting = new Set<() => void>();
  #running = 0;

  constructor(
    private readonly atOnce: number,
    private readonly limits: WaitLimits,
  ) {}

  /** @throws the refusal when too many tasks wait, or this one has waited for too long */
  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#running < this.atOnce) this.#running++;
    else await this.#wait();
    try {
      return await task();
    } finally {
      this.#release();
    }
  }

  #wait(): Promise<void> {
    const { limits } = this;
    if (this.#waiting.size >= limits.waiting) throw limits.refusal();
    return new Promise((resolve, reject) => {
      const start = () => {
        clearTimeout(timer);
        this.#waiting.delete(start);
        resolve();
      };
      const giveUp = (refusal: Error) => {
        this.#waiting.delete(start);
        reject(refusal);
      };
      const timer = setTimeout(() => giveUp(limits.refusal()), limits.waitMs);
      this.#waiting.add(start);
    });
  }

  /** The next task in the queue takes over the place, so that nobody who comes now can take it. */
  #release(): void {
    const [start] = this.#waiting;
    if (start) start();
    else this.#running--;
  }
}
