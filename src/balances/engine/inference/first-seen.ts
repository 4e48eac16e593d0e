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
  /** Whether any movement that an observation was the first to see may have an equal one. Mostly none has. */
  mayHaveEquals: (index: number) => boolean;
  /** Whether another movement, listed no later, has the same amount and a date at most `daysApart` days away. */
  hasEqual: (place: number, daysApart: number) => boolean;
  /** The movements of the same day and amount: the same array for each of them. */
  equalsOf: (place: number) => readonly Movement[];
}

export function indexFirstSeen(all: readonly Movement[], reports: Reports): FirstSeenIndex {
  const { count } = reports;
  const { movements, settledMinor } = withoutSettled(all, reports);
  const seen = new Int32Array(movements.length);
  const starts = new Int32Array(count + 2);
  const firstKnown = firstKnownBy(reports);
  for (let place = 0; place < seen.length; place++) {
    const index = firstKnown(movements[place]!);
    seen[place] = index;
    starts[index + 1]!++;
  }
  for (let index = 1; index < starts.length; index++) starts[index]! += starts[index - 1]!;
  const next = starts.slice();
  const order = new Int32Array(movements.length);
  for (let place = 0; place < seen.length; place++) order[next[seen[place]!]!++] = place;
  const firstSeenAt = (index: number) => order.subarray(starts[index], starts[index + 1]);
  let known: EqualMovements | null = null;
  let paired: Uint8Array | null = null;
  const equals = () => (known ??= new EqualMovements(all, movements));
  const markPaired = () => {
    const marks = new Uint8Array(count + 1);
    for (const movement of equals().paired()) marks[firstKnown(movement)] = 1;
    return marks;
  };
  return {
    movements,
    settledMinor,
    seen,
    firstSeenAt,
    mayHaveEquals: (index) => (paired ??= markPaired())[index] === 1,
    hasEqual: (place, daysApart) => equals().hasOther(movements[place]!, daysApart),
    equalsOf: (place) => equals().of(movements[place]!),
  };
}

/** Movements of one day and amount, in order, and one of them that was listed first. */
interface EqualGroup {
  movements: Movement[];
  earliest: Movement;
}

/** Movements of the same amount and of days near to each other. */
class EqualMovements {
  readonly #byDay: readonly Movement[];
  readonly #days: Float64Array;
  readonly #groups = new Map<DayNumber, ReadonlyMap<number, EqualGroup>>();

  /** @param some of all, those that are asked for */
  constructor(all: readonly Movement[], some: readonly Movement[]) {
    const near = some === all ? all : nearTo(some, all);
    // Entries are in this order already; only what is corrected is not.
    const isByDay = near.every(({ day }, place) => place === 0 || near[place - 1]!.day <= day);
    this.#byDay = isByDay ? near : near.toSorted((a, b) => a.day - b.day);
    this.#days = column(this.#byDay, ({ day }) => day);
  }

  /** All that another equals, some of them more than once. */
  paired(): Movement[] {
    const last = new Map<number, Movement>();
    const found: Movement[] = [];
    for (const movement of this.#byDay) {
      const before = last.get(movement.amountMinor);
      if (before && movement.day - before.day <= DUPLICATE_DAYS) found.push(before, movement);
      last.set(movement.amountMinor, movement);
    }
    return found;
  }

  /** Whether there is another that was listed no later than a movement. */
  hasOther(movement: Movement, daysApart: number): boolean {
    const { amountMinor, day, listedFrom } = movement;
    if (amountMinor === 0) return false;
    for (let near = day - daysApart; near <= day + daysApart; near++) {
      const group = this.#on(near).get(amountMinor);
      if (!group) continue;
      const { earliest, movements } = group;
      if (earliest !== movement) {
        if (earliest.listedFrom <= listedFrom) return true;
      } else if (movements.some((other) => other !== movement && other.listedFrom <= listedFrom)) return true;
    }
    return false;
  }

  of({ day, amountMinor }: Movement): readonly Movement[] {
    return this.#on(day).get(amountMinor)!.movements;
  }

  /** The movements of a day by their amounts. */
  #on(day: DayNumber): ReadonlyMap<number, EqualGroup> {
    const known = this.#groups.get(day);
    if (known) return known;
    const groups = new Map<number, EqualGroup>();
    const end = firstAtOrAfter(this.#days, day + 1);
    for (let place = firstAtOrAfter(this.#days, day); place < end; place++) {
      const movement = this.#byDay[place]!;
      const group = groups.get(movement.amountMinor);
      if (!group) groups.set(movement.amountMinor, { movements: [movement], earliest: movement });
      else {
        group.movements.push(movement);
        if (movement.listedFrom < group.earliest.listedFrom) group.earliest = movement;
      }
    }
    this.#groups.set(day, groups);
    return groups;
  }
}

/** All but those well before the oldest of some of them. */
function nearTo(some: readonly Movement[], all: readonly Movement[]): Movement[] {
  let oldest = Infinity;
  for (const { day } of some) if (day < oldest) oldest = day;
  return all.filter(({ day }) => day >= oldest - DUPLICATE_DAYS);
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
