import { setImmediate } from 'node:timers/promises';

/** How long a computation may block the event loop. */
const SLICE_MS = 20;
/** How often a long one shows that it is under way. */
const SHOW_ALIVE_MS = 1_000;

/**
 * Runs a generator, and lets other work run between its steps.
 *
 * @param showAlive called every second
 */
export async function inSlices<T>(
  steps: Generator<undefined, T, undefined>,
  showAlive?: () => Promise<unknown>,
): Promise<T> {
  let begunAtMs = performance.now();
  let shownAtMs = begunAtMs;
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (performance.now() - begunAtMs < SLICE_MS) continue;
    await setImmediate();
    if (showAlive && performance.now() - shownAtMs >= SHOW_ALIVE_MS) {
      await showAlive();
      shownAtMs = performance.now();
    }
    begunAtMs = performance.now();
  }
}
