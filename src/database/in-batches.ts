/**
 * Calls `removeSome` until it removes less than a batch. Each call is a transaction of its own, so that locks are
 * short.
 *
 * @returns how many rows were removed
 */
export async function inBatches(batch: number, removeSome: () => Promise<number>): Promise<number> {
  let total = 0;
  for (;;) {
    const removed = await removeSome();
    total += removed;
    if (removed < batch) return total;
  }
}
