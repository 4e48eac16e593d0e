import { randomInt } from 'node:crypto';

interface WaitLimits {
  /** How many tasks may wait in each line. */
  waiting: number;
  waitMs: number;
  /** Makes the error of a task that gives way to another one, or has waited for too long. */
  refusal: () => Error;
}

interface Waiting {
  start: () => void;
  refuse: () => void;
}

/**
 * Runs a limited number of tasks at once. The others wait in two lines, first come, first served; the second line has its
 * turn when nobody waits in the first one. In a full line a random task gives way to a new one, so that whoever fills it
 * cannot keep everybody else out.
 */
export class Semaphore {
  readonly #firstLine = new Set<Waiting>();
  readonly #secondLine = new Set<Waiting>();
  #running = 0;

  constructor(
    private readonly atOnce: number,
    private readonly limits: WaitLimits,
  ) {}

  /** @throws the refusal when this task gives way to another one, or has waited for too long */
  async run<T>(task: () => Promise<T>, isInFirstLine = false): Promise<T> {
    if (this.#running < this.atOnce) this.#running++;
    else await this.#wait(isInFirstLine ? this.#firstLine : this.#secondLine);
    try {
      return await task();
    } finally {
      this.#release();
    }
  }

  #wait(line: Set<Waiting>): Promise<void> {
    const { limits } = this;
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        line.delete(waiting);
      };
      const waiting: Waiting = {
        start: () => {
          leave();
          resolve();
        },
        refuse: () => {
          leave();
          reject(limits.refusal());
        },
      };
      const timer = setTimeout(waiting.refuse, limits.waitMs);
      if (line.size >= limits.waiting) [...line][randomInt(line.size)]?.refuse();
      line.add(waiting);
    });
  }

  /** The next task takes over the place, so that nobody who comes now can take it. */
  #release(): void {
    const [next] = [...this.#firstLine, ...this.#secondLine];
    if (next) next.start();
    else this.#running--;
  }
}
