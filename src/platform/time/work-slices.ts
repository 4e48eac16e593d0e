import { setImmediate } from 'node:timers/promises';

/** How long a loop may block the event loop. */
const SLICE_MS = 20;
/** How often a long computation shows that it is under way. */
const SHOW_ALIVE_MS = 1_000;

/**
 * Cuts a long loop into slices, so that it does not block requests and can be aborted:
 * `if (slices.isOver) await slices.yieldToEventLoop();`
 */
export class WorkSlices {
  #endMs = performance.now() + SLICE_MS;

  constructor(private readonly signal?: AbortSignal) {}

  /** Whether the slice has used its time. */
  get isOver(): boolean {
    return performance.now() >= this.#endMs;
  }

  /** @throws the signal's reason when it was aborted */
  async yieldToEventLoop(): Promise<void> {
    await setImmediate();
    this.signal?.throwIfAborted();
    this.#endMs = performance.now() + SLICE_MS;
  }
}

/**
 * Runs a generator, and lets other work run between its steps.
 *
 * @param showAlive called every second
 */
export async function inSlices<T>(
  steps: Generator<undefined, T, undefined>,
  showAlive?: () => Promise<unknown>,
): Promise<T> {
  const slices = new WorkSlices();
  let shownAtMs = performance.now();
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (!slices.isOver) continue;
    await slices.yieldToEventLoop();
    if (!showAlive || performance.now() - shownAtMs < SHOW_ALIVE_MS) continue;
    await showAlive();
    shownAtMs = performance.now();
  }
}
