/** The only source of the current time, so that tests can set it. */
export abstract class Clock {
  abstract now(): Date;

  /**
   * Takes over another clock's time where it differs for sure. Absent: it follows nobody.
   *
   * @param theirs what that clock said between asking and its answer, which is now
   * @param tookMs from asking to the answer
   * @returns by how much this clock is ahead of its machine's from now on; `null`: nothing changed
   */
  follow?(theirs: Date, tookMs: number): number | null;
}

/** Less is jitter, and clocks that NTP keeps differ by less. */
const TOLERANCE_MS = 1_000;

/** The machine's clock, corrected to the clock that it follows. */
export class SystemClock extends Clock {
  #aheadMs = 0;

  now(): Date {
    return new Date(new Date().getTime() + this.#aheadMs);
  }

  override follow(theirs: Date, tookMs: number): number | null {
    const theirMs = theirs.getTime() + tookMs / 2;
    const isNear = (ms: number) => Math.abs(theirMs - ms) <= TOLERANCE_MS + tookMs / 2;
    const ownMs = new Date().getTime();
    if (isNear(ownMs + this.#aheadMs)) return null;
    this.#aheadMs = isNear(ownMs) ? 0 : Math.round(theirMs - ownMs);
    return this.#aheadMs;
  }
}
