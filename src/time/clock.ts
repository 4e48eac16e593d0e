/** The only source of the current time, so that tests can set it. */
export abstract class Clock {
  abstract now(): Date;
}

/** The clock skew that instances may have. A later time is that of a clock that ran ahead and is set back. */
export const CLOCK_TOLERANCE_MS = 60_000;

export class SystemClock extends Clock {
  now(): Date {
    return new Date();
  }
}
