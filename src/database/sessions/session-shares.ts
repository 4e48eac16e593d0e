/** As the pool says it itself when nobody has given a session back in time. */
const TIMEOUT = 'timeout exceeded when trying to connect';

interface Share {
  held: number;
  readonly waiting: (() => void)[];
}

/** Bounds how many sessions one person's requests hold at a time, so that others find one. The rest waits in turn. */
export class SessionShares {
  readonly #shares = new Map<string, Share>();

  constructor(
    private readonly size: number,
    private readonly waitMs: number,
  ) {}

  /**
   * @param person `null`: what runs is nobody's request and has no limit
   * @returns what gives the place back; to be called once
   * @throws Error after waiting for too long
   */
  async take(person: string | null): Promise<() => void> {
    if (person === null) return () => undefined;
    const share = this.#shares.get(person) ?? { held: 0, waiting: [] };
    this.#shares.set(person, share);
    if (share.held < this.size) share.held++;
    else await this.#wait(share);
    return () => this.#giveBack(person, share);
  }

  async #wait({ waiting }: Share): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const start = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(start), 1);
        reject(new Error(TIMEOUT));
      }, this.waitMs);
      waiting.push(start);
    });
  }

  /** The next one takes over the place. */
  #giveBack(person: string, share: Share): void {
    const next = share.waiting.shift();
    if (next) return next();
    if (--share.held === 0) this.#shares.delete(person);
  }
}
