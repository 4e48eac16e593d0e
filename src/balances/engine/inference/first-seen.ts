import type { DayNumber } from '../ledger.js';
import { ascendingLookup, column, firstAtOrAfter, type Reports } from '../reports.js';
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
  /** In the order given. */
  movements: readonly Movement[];
  /**
   * For each movement the first observation at which it was known; `count` when none saw it yet. Backfilled history was in
   * the balance all the time, and counts as known from its day on.
   */
  seen: Int32Array;
  /** The movements, by their place, that an observation was the first to see. */
  firstSeenAt: (index: number) => readonly number[];
  /** Whether another movement, listed no later, has the same amount and a date at most a day away. */
  hasEqual: (place: number) => boolean;
  /** The movements of the same day and amount, the one listed first before the others. */
  equalsOf: (place: number) => readonly Movement[];
}

export function indexFirstSeen(movements: readonly Movement[], reports: Reports): FirstSeenIndex {
  const seen = column(movements, firstKnownBy(reports));
  const places = Map.groupBy(seen.keys(), (place) => seen[place]!);
  let known: Map<number, EqualMovements> | null = null;
  const equalTo = (place: number) => {
    known ??= new Map(
      [...Map.groupBy(movements, (one) => one.amountMinor)].map(([m, all]) => [m, equalMovements(all)]),
    );
    return known.get(movements[place]!.amountMinor)!;
  };
  return {
    movements,
    seen: Int32Array.from(seen),
    firstSeenAt: (index) => places.get(index) ?? [],
    hasEqual: (place) => hasOther(equalTo(place), movements[place]!),
    equalsOf: (place) => onDay(equalTo(place), movements[place]!.day),
  };
}

/** Movements of one amount by day and listing, and their days. */
interface EqualMovements {
  movements: readonly Movement[];
  days: Float64Array;
}

function equalMovements(movements: Movement[]): EqualMovements {
  movements.sort((a, b) => a.day - b.day || a.listedFrom - b.listedFrom);
  return { movements, days: column(movements, ({ day }) => day) };
}

function onDay({ movements, days }: EqualMovements, day: DayNumber): readonly Movement[] {
  return movements.slice(firstAtOrAfter(days, day), firstAtOrAfter(days, day + 1));
}

function hasOther({ movements, days }: EqualMovements, movement: Movement): boolean {
  const { amountMinor, day, listedFrom } = movement;
  if (amountMinor === 0) return false;
  for (let near = day - DUPLICATE_DAYS; near <= day + DUPLICATE_DAYS; near++) {
    const first = firstAtOrAfter(days, near);
    const other = movements[first] === movement ? movements[first + 1] : movements[first];
    if (other?.day === near && other.listedFrom <= listedFrom) return true;
  }
  return false;
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
