/** In this time the same warning is written a few times: it comes again and again with the database away, for example. */
const WINDOW_MS = 10_000;
const WRITTEN_IN_WINDOW = 3;
/** The oldest is forgotten first. */
const MAX_REMEMBERED = 500;

interface Window {
  sinceMs: number;
  count: number;
}

/** Which lines of a log say nothing new. */
export class Repeats {
  readonly #windows = new Map<string, Window>();

  constructor(private readonly nowMs: () => number = () => performance.now()) {}

  /** @returns how many of the same lines were left out before this one; `null`: leave this one out, too */
  admit(line: string): number | null {
    const nowMs = this.nowMs();
    const window = this.#windows.get(line);
    if (window && nowMs - window.sinceMs < WINDOW_MS) return ++window.count > WRITTEN_IN_WINDOW ? null : 0;
    this.#windows.delete(line);
    this.#windows.set(line, { sinceMs: nowMs, count: 1 });
    if (this.#windows.size > MAX_REMEMBERED) this.#windows.delete(this.#windows.keys().next().value!);
    return Math.max(0, (window?.count ?? 0) - WRITTEN_IN_WINDOW);
  }
}
