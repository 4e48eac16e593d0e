import { setImmediate } from 'node:timers/promises';

/** How long a loop may block the event loop. */
const SLICE_MS = 20;

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

/** Runs a generator, and lets other work run between its steps. */
export async function inSlices<T>(steps: Generator<undefined, T, undefined>): Promise<T> {
  const slices = new WorkSlices();
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (slices.isOver) await slices.yieldToEventLoop();
  }
}
