/**
 * A computation in steps, so that its caller can let other work run in between. One step handles one report, or some of
 * those that take no search.
 */
export type Steps<T> = Generator<undefined, T, undefined>;

/** So many reports that take no search, or trades, are one step: each takes less time than to stop and to go on. */
export const REPORTS_A_STEP = 32;

/** Runs a computation to its end at once. */
export function finish<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
