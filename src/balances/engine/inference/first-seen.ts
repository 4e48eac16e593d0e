import type { DayNumber } from '../ledger.js';
import { ascendingLookup, column, firstAtOrAfter, type Reports } from '../reports.js';

/** What the list shows of the money at one moment: the input of every explanation of a reported balance. */
export interface Movement {
  day: DayNumber;
  /** Holder's view. */
  amountMinor: number;
  /** Epoch milliseconds. */
  listedFrom: number;
  /** Whether the bank took back or replaced what it listed before: that moves the balance when it is listed. */
  isCorrection?: boolean;
  /** Of a correction: when the corrected version was first listed. The balance may have been right from then on. */
  correctsSince?: number;
  /** Of a correction: the day of the corrected transaction, as it is or was listed last. */
  correctsDay?: DayNumber;
}

/** How far balance or list is behind the other: a balance that lags lacks transactions of the last days, not old ones. */
export const BEHIND_DAYS = 3;

/** How far from its day a transaction may reach the balance. */
export const NEAR_CUT_DAYS = 5;

/** How far apart the days of two equal rows may be that list one transaction twice. */
export const DUPLICATE_DAYS = 1;

/** A transaction older than this when it is first listed is backfilled history, not merely late. */
const BACKFILL_DAYS = NEAR_CUT_DAYS + BEHIND_DAYS;

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
  /** The backfilled movements that came to the balance with an observation if it had them no sooner than they were listed. */
  lateAt: (index: number) => readonly Movement[];
  /** Whether another movement, listed no later, has the same amount and a date at most a day away. */
  hasEqual: (place: number) => boolean;
  /** The movements of the same day and amount, the one listed first before the others. */
  equalsOf: (place: number) => readonly Movement[];
}

export function indexFirstSeen(all: readonly Movement[], reports: Reports): FirstSeenIndex {
  const { count } = reports;
  const { movements, settledMinor } = withoutSettled(all, reports);
  const firstKnown = firstKnownBy(reports);
  const seen = Int32Array.from(column(movements, firstKnown));
  const starts = new Int32Array(count + 2);
  for (const index of seen) starts[index + 1]!++;
  for (let index = 1; index < starts.length; index++) starts[index]! += starts[index - 1]!;
  const next = starts.slice();
  const order = new Int32Array(movements.length);
  for (let place = 0; place < seen.length; place++) order[next[seen[place]!]!++] = place;
  let late: Movement[][] | null = null;
  let known: Map<number, Movement[]> | null = null;
  const equalTo = (place: number) => (known ??= byAmount(all, movements)).get(movements[place]!.amountMinor)!;
  return {
    movements,
    settledMinor,
    seen,
    lateAt: (index) => (late ??= findLate(all, reports))[index]!,
    firstSeenAt: (index) => order.subarray(starts[index], starts[index + 1]),
    hasEqual: (place) => hasOther(equalTo(place), movements[place]!),
    equalsOf: (place) => onDay(equalTo(place), movements[place]!.day),
  };
}

/** By observation, the backfilled movements from the one after their day to the one that was the first to list them. */
function findLate(all: readonly Movement[], reports: Reports): Movement[][] {
  const late = Array.from(reports.day, (): Movement[] => []);
  const firstAt = ascendingLookup(reports.at);
  const firstKnown = firstKnownBy(reports);
  for (const movement of all) {
    const [known, listed] = [firstKnown(movement), firstAt(movement.listedFrom)];
    // What the first balance lacked came when it was listed.
    const since = movement.day < reports.day[0]! ? Math.max(known + 1, listed) : known + 1;
    for (let index = since; index <= listed && index < reports.count; index++) late[index]!.push(movement);
  }
  return late;
}

/**
 * Movements by their amount, those of one amount by day and listing.
 *
 * @param asked those whose equals are looked for: mostly the last of a long history
 */
function byAmount(all: readonly Movement[], asked: readonly Movement[]): Map<number, Movement[]> {
  const since = asked.reduce((first, { day }) => Math.min(first, day), Infinity) - DUPLICATE_DAYS;
  const equal = Map.groupBy(
    all.filter(({ day }) => day >= since),
    ({ amountMinor }) => amountMinor,
  );
  for (const same of equal.values()) {
    if (same.length > 1) same.sort((a, b) => a.day - b.day || a.listedFrom - b.listedFrom);
  }
  return equal;
}

function onDay(movements: readonly Movement[], day: DayNumber): readonly Movement[] {
  return movements.slice(firstOnOrAfter(movements, day), firstOnOrAfter(movements, day + 1));
}

function hasOther(movements: readonly Movement[], movement: Movement): boolean {
  const { amountMinor, day, listedFrom } = movement;
  if (amountMinor === 0 || movements.length < 2) return false;
  for (let near = day - DUPLICATE_DAYS; near <= day + DUPLICATE_DAYS; near++) {
    const first = firstOnOrAfter(movements, near);
    const other = movements[first] === movement ? movements[first + 1] : movements[first];
    if (other?.day === near && other.listedFrom <= listedFrom) return true;
  }
  return false;
}

/** The place of the first movement of a day or a later one. */
function firstOnOrAfter(movements: readonly Movement[], day: DayNumber): number {
  let low = 0;
  let high = movements.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (movements[middle]!.day >= day) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Looks up the first report that knew a movement; of backfilled history, the first on its day or later. */
export function firstKnownBy(reports: Reports): (movement: Movement) => number {
  const firstAt = ascendingLookup(reports.at);
  return ({ day, listedFrom, isCorrection }) => {
    const seen = firstAt(listedFrom);
    return !isCorrection && isBackfilled(seen, day, reports) ? firstAtOrAfter(reports.day, day) : seen;
  };
}

/** Whether a row is so old, when a report is the first to list it, that the balance may have had it all the time. */
export function isBackfilled(seen: number, booked: DayNumber, { day, count }: Reports): boolean {
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
  const firstKnown = firstKnownBy(reports);
  const isSettled = (movement: Movement) =>
    movement.day <= settledUntil && (movement.listedFrom <= firstAt || firstKnown(movement) === 0);
  if (!all.some(isSettled)) return { movements: all, settledMinor: 0 };
  const movements: Movement[] = [];
  let settledMinor = 0;
  for (const movement of all) {
    if (isSettled(movement)) settledMinor += movement.amountMinor;
    else movements.push(movement);
  }
  return { movements, settledMinor };
}
