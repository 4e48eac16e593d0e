/**
 * A computation in steps, so that whoever runs it may let other work run between two of them. A step is short: what one
 * report asks for.
 */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Runs a computation to its end at once. */
export function finish<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
