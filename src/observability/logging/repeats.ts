/** While the same warning comes again and again, such as with the database away, it is written once in this time. */
const QUIET_MS = 10_000;
/** The oldest is forgotten first. */
const MAX_REMEMBERED = 500;

interface Remembered {
  writtenAtMs: number;
  leftOut: number;
}

/** Which lines of a log say nothing new. */
export class Repeats {
  readonly #remembered = new Map<string, Remembered>();

  constructor(private readonly nowMs: () => number = () => performance.now()) {}

  /** @returns how many of the same lines were left out before this one; `null`: leave this one out, too */
  admit(line: string): number | null {
    const nowMs = this.nowMs();
    const before = this.#remembered.get(line);
    if (before && nowMs - before.writtenAtMs < QUIET_MS) {
      before.leftOut++;
      return null;
    }
    this.#remembered.delete(line);
    this.#remembered.set(line, { writtenAtMs: nowMs, leftOut: 0 });
    if (this.#remembered.size > MAX_REMEMBERED) this.#remembered.delete(this.#remembered.keys().next().value!);
    return before?.leftOut ?? 0;
  }
}
