/** The only source of the current time, so that tests can set it. */
export abstract class Clock {
  abstract now(): Date;
}

export class SystemClock extends Clock {
  now(): Date {
    return new Date();
  }
}

/** That of the application: the machine's, corrected while that is wrong. */
export class CorrectedClock extends Clock {
  /** 0 while the machine's is right, so that moments stay in order. */
  machineAheadMs = 0;

  constructor(readonly machine: Clock) {
    super();
  }

  now(): Date {
    return new Date(this.machine.now().getTime() - this.machineAheadMs);
  }
}
