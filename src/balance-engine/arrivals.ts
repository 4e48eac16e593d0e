import type { Entry } from './ledger.js';
import type { Reports } from './reports.js';

/** A balance that lags behind the list lacks entries of the last days, not old ones that were only now delivered. */
export const BEHIND_DAYS = 3;

/** How long a balance lags behind the list, or an entry is booked after its day, where a few are in doubt. */
export const DOUBT_DAYS = 5;

/** How long entries are waited for where the list lags. */
export const LISTING_DAYS = 3;

/** What is older when it is first listed was neither booked late nor listed late: it is old history. */
const LATE_DAYS = DOUBT_DAYS + LISTING_DAYS;

/** The entries in the order in which observations first saw them. */
export interface Arrivals {
  /** In the order given, but without those that every balance has, however it is read. */
  entries: readonly Entry[];
  /** The sum of those others: dated well before the first observation, and known to it or old when listed. */
  settledMinor: number;
  /**
   * For each entry the first observation at which it was known; `count` when none saw it yet. Old history was in the
   * balance all the time, and counts as known from its day on.
   */
  seen: Int32Array;
  /** The entries, by their place, that an observation was the first to see. */
  firstSeenAt(index: number): Int32Array;
}

export function toArrivals(all: readonly Entry[], reports: Reports): Arrivals {
  const { count } = reports;
  const { entries, settledMinor } = withoutSettled(all, reports);
  const seen = new Int32Array(entries.length);
  const starts = new Int32Array(count + 2);
  for (let entry = 0; entry < seen.length; entry++) {
    const index = firstKnown(entries[entry]!, reports);
    seen[entry] = index;
    starts[index + 1]!++;
  }
  for (let index = 1; index < starts.length; index++) starts[index]! += starts[index - 1]!;
  const next = starts.slice();
  const order = new Int32Array(entries.length);
  for (let entry = 0; entry < seen.length; entry++) order[next[seen[entry]!]!++] = entry;
  return { entries, settledMinor, seen, firstSeenAt: (index) => order.subarray(starts[index], starts[index + 1]) };
}

function firstKnown({ day: entryDay, listedFrom }: Entry, { at, day, count }: Reports): number {
  const seen = firstAtOrAfter(at, listedFrom);
  return seen < count && day[seen]! - entryDay > LATE_DAYS ? firstAtOrAfter(day, entryDay) : seen;
}

function withoutSettled(all: readonly Entry[], reports: Reports): Pick<Arrivals, 'entries' | 'settledMinor'> {
  const { at, day } = reports;
  const firstAt = at[0]!;
  const settledUntil = day[0]! - BEHIND_DAYS - 1;
  const entries: Entry[] = [];
  let settledMinor = 0;
  for (const entry of all) {
    const isOld = entry.day <= settledUntil;
    if (isOld && (entry.listedFrom <= firstAt || firstKnown(entry, reports) === 0)) settledMinor += entry.amountMinor;
    else entries.push(entry);
  }
  return { entries, settledMinor };
}

/** The place of the first of ascending numbers that is no less; their count if all are less, or there is nothing to find. */
export function firstAtOrAfter(at: Float64Array, moment: number): number {
  let low = 0;
  let high = at.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (at[middle]! >= moment) high = middle;
    else low = middle + 1;
  }
  return low;
}
