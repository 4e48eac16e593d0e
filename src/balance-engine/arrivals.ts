import type { Entry } from './ledger.js';
import type { Reports } from './reports.js';

/** A balance that lags behind the list lacks entries of the last days, not old ones that were only now delivered. */
export const BEHIND_DAYS = 3;

/** The entries in the order in which observations first saw them. */
export interface Arrivals {
  /** In the order given, but without those that every balance has, however it is read. */
  entries: readonly Entry[];
  /** The sum of those others: known to the first observation, and dated well before it. Most of a long past is. */
  settledMinor: number;
  /** For each entry the first observation at which it was known; `count` when none saw it yet. */
  seen: Int32Array;
  /** The entries, by their place, that an observation was the first to see. */
  firstSeenAt(index: number): Int32Array;
}

export function toArrivals(all: readonly Entry[], reports: Reports): Arrivals {
  const { at, count } = reports;
  const { entries, settledMinor } = withoutSettled(all, reports);
  const seen = new Int32Array(entries.length);
  const starts = new Int32Array(count + 2);
  for (let entry = 0; entry < seen.length; entry++) {
    const index = firstAtOrAfter(at, entries[entry]!.firstSeenAt);
    seen[entry] = index;
    starts[index + 1]!++;
  }
  for (let index = 1; index < starts.length; index++) starts[index]! += starts[index - 1]!;
  const next = starts.slice();
  const order = new Int32Array(entries.length);
  for (let entry = 0; entry < seen.length; entry++) order[next[seen[entry]!]!++] = entry;
  return { entries, settledMinor, seen, firstSeenAt: (index) => order.subarray(starts[index], starts[index + 1]) };
}

function withoutSettled(all: readonly Entry[], { at, day }: Reports): Pick<Arrivals, 'entries' | 'settledMinor'> {
  const firstAt = at[0]!;
  const settledUntil = day[0]! - BEHIND_DAYS - 1;
  const entries: Entry[] = [];
  let settledMinor = 0;
  for (const entry of all) {
    if (entry.day <= settledUntil && entry.firstSeenAt <= firstAt) settledMinor += entry.amountMinor;
    else entries.push(entry);
  }
  return { entries, settledMinor };
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
