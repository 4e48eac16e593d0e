import { setImmediate } from 'node:timers/promises';

/** So long other work of the process waits at most for one piece of a long loop. */
const SLICE_MS = 20;

/**
 * Cuts a long loop into slices, so that requests are answered between them and the loop can be aborted:
 * `if (slices.isOver) await slices.giveWay();`
 */
export class WorkSlices {
  #endMs = performance.now() + SLICE_MS;

  constructor(private readonly signal?: AbortSignal) {}

  /** Whether it is time to let other work run. */
  get isOver(): boolean {
    return performance.now() >= this.#endMs;
  }

  /** @throws the signal's reason when it was aborted */
  async giveWay(): Promise<void> {
    await setImmediate();
    this.signal?.throwIfAborted();
    this.#endMs = performance.now() + SLICE_MS;
  }
}

/** Runs a computation that is told in short steps, and lets other work run between them. */
export async function inSlices<T>(steps: Generator<undefined, T, undefined>): Promise<T> {
  const slices = new WorkSlices();
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (slices.isOver) await slices.giveWay();
  }
}
