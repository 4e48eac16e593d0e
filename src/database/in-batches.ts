/**
 * Calls `removeSome` until it finds fewer rows than a batch has, each call a transaction of its own: nobody waits for its
 * locks for long.
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
