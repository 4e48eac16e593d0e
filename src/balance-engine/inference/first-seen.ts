import type { DayNumber } from '../ledger.js';
import { firstAtOrAfter, type Reports } from '../reports.js';
import type { Movement } from './movement.js';

/** A balance that lags behind the list lacks transactions of the last days, not old ones delivered only now. */
export const BEHIND_DAYS = 3;

/** How far from its day a transaction may reach the balance. */
export const NEAR_CUT_DAYS = 5;

/** How long transactions are waited for where the list lags. */
export const LISTING_DAYS = 3;

/** How far apart the days of two equal rows may be that list one transaction twice. */
export const DUPLICATE_DAYS = 1;

/** A transaction older than this when it is first listed is backfilled history, not merely late. */
const BACKFILL_DAYS = NEAR_CUT_DAYS + LISTING_DAYS;

/** The movements by the observation that first saw them. */
export interface FirstSeenIndex {
  /** In the order given, but without those that every balance has by any rule. */
  movements: readonly Movement[];
  /** The sum of those others: dated well before the first observation, and known to it or backfilled. */
  settledMinor: number;
  /**
   * For each movement the first observation at which it was known; `count` when none saw it yet. Backfilled history was in
   * the balance all the time, and counts as known from its day on.
   */
  seen: Int32Array;
  /** The movements, by their place, that an observation was the first to see. */
  firstSeenAt: (index: number) => Int32Array;
  /** The other movements, listed no later, that have the same amount and a date at most `daysApart` days away. */
  equalsOf: (place: number, daysApart: number) => readonly Movement[];
}

export function indexFirstSeen(all: readonly Movement[], reports: Reports): FirstSeenIndex {
  const { count } = reports;
  const { movements, settledMinor } = withoutSettled(all, reports);
  const seen = new Int32Array(movements.length);
  const starts = new Int32Array(count + 2);
  for (let place = 0; place < seen.length; place++) {
    const index = firstKnown(movements[place]!, reports);
    seen[place] = index;
    starts[index + 1]!++;
  }
  for (let index = 1; index < starts.length; index++) starts[index]! += starts[index - 1]!;
  const next = starts.slice();
  const order = new Int32Array(movements.length);
  for (let place = 0; place < seen.length; place++) order[next[seen[place]!]!++] = place;
  const firstSeenAt = (index: number) => order.subarray(starts[index], starts[index + 1]);
  let finder: EqualsFinder | null = null;
  const equalsOf: FirstSeenIndex['equalsOf'] = (place, daysApart) =>
    (finder ??= equalsFinder(all, movements))(movements[place]!, daysApart);
  return { movements, settledMinor, seen, firstSeenAt, equalsOf };
}

type EqualsFinder = (movement: Movement, daysApart: number) => readonly Movement[];

/** @param some of all, those that are asked for */
function equalsFinder(all: readonly Movement[], some: readonly Movement[]): EqualsFinder {
  let oldest = Infinity;
  for (const { day } of some) if (day < oldest) oldest = day;
  const byDay = all.filter(({ day }) => day >= oldest - DUPLICATE_DAYS).sort((a, b) => a.day - b.day);
  const days = Float64Array.from(byDay, ({ day }) => day);
  return (movement, daysApart) => {
    const { amountMinor, day, listedFrom } = movement;
    const equals: Movement[] = [];
    if (amountMinor === 0) return equals;
    const end = firstAtOrAfter(days, day + daysApart + 1);
    for (let place = firstAtOrAfter(days, day - daysApart); place < end; place++) {
      const other = byDay[place]!;
      if (other.amountMinor === amountMinor && other !== movement && other.listedFrom <= listedFrom) equals.push(other);
    }
    return equals;
  };
}

/** The first report that knew a movement; of backfilled history, the first on its day or later. */
export function firstKnown({ day, listedFrom, isCorrection }: Movement, reports: Reports): number {
  const seen = firstAtOrAfter(reports.at, listedFrom);
  return !isCorrection && isOldAt(seen, day, reports) ? firstAtOrAfter(reports.day, day) : seen;
}

/** Whether a row, when it is first listed, is so old that the balance may have had it all the time. */
export function isBackfilled({ day, listedFrom }: Movement, reports: Reports): boolean {
  return isOldAt(firstAtOrAfter(reports.at, listedFrom), day, reports);
}

function isOldAt(seen: number, booked: DayNumber, { day, count }: Reports): boolean {
  // It may have been listed at any time since the report before, so this is its least age.
  return seen < count && day[Math.max(0, seen - 1)]! - booked > BACKFILL_DAYS;
}

function withoutSettled(
  all: readonly Movement[],
  reports: Reports,
): Pick<FirstSeenIndex, 'movements' | 'settledMinor'> {
  const { at, day } = reports;
  const firstAt = at[0]!;
  const settledUntil = day[0]! - BEHIND_DAYS - 1;
  const movements: Movement[] = [];
  let settledMinor = 0;
  for (const movement of all) {
    const isOld = movement.day <= settledUntil;
    if (isOld && (movement.listedFrom <= firstAt || firstKnown(movement, reports) === 0)) {
      settledMinor += movement.amountMinor;
    } else movements.push(movement);
  }
  return { movements, settledMinor };
}
