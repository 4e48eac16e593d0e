/** Lets so many pieces of work run at once; the others wait, first come, first served. */
export class Gate {
  readonly #waiting: (() => void)[] = [];

  constructor(private places: number) {}

  async pass<T>(work: () => Promise<T>): Promise<T> {
    if (this.places > 0) this.places--;
    else await new Promise<void>((enter) => this.#waiting.push(enter));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      // The place is handed on: nobody who comes now may take it first.
      if (next) next();
      else this.places++;
    }
  }
}
