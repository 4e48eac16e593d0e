import type { Entry } from './ledger.js';
import type { Reports } from './reports.js';

/** The entries in the order in which observations first saw them. */
export interface Arrivals {
  /** For each entry, in the order given, the first observation at which it was known; `count` when none saw it yet. */
  seen: Int32Array;
  /** The entries, by their place in the order given, that an observation was the first to see. */
  firstSeenAt(index: number): Int32Array;
}

export function toArrivals(entries: readonly Entry[], { at, count }: Reports): Arrivals {
  const seen = Int32Array.from(entries, ({ firstSeenAt }) => firstAtOrAfter(at, firstSeenAt));
  const starts = new Int32Array(count + 2);
  for (const index of seen) starts[index + 1]!++;
  for (let index = 1; index < starts.length; index++) starts[index]! += starts[index - 1]!;
  const next = starts.slice();
  const order = new Int32Array(entries.length);
  seen.forEach((index, entry) => (order[next[index]!++] = entry));
  return { seen, firstSeenAt: (index) => order.subarray(starts[index], starts[index + 1]) };
}

function firstAtOrAfter(at: Float64Array, moment: number): number {
  let low = 0;
  let high = at.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (at[middle]! >= moment) high = middle;
    else low = middle + 1;
  }
  return low;
}
