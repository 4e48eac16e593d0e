/**
 * A computation in steps, so that its caller can let other work run in between. One step handles one report.
 */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Runs a computation to its end at once. */
export function finish<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
