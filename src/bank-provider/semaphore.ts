/** Limits how many pieces of work run at once. The others wait, first come, first served. */
export class Semaphore {
  readonly #waiting: (() => void)[] = [];

  constructor(private places: number) {}

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.places > 0) this.places--;
    else await new Promise<void>((enter) => this.#waiting.push(enter));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      // The place goes to the next in line, so that nobody who comes now can take it.
      if (next) next();
      else this.places++;
    }
  }
}
