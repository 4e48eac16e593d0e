import type { Entry, Observation } from './ledger.js';

/** Average moves per entry after which the insertion sort gives up and all entries are sorted instead. */
const MOVES_EACH = 4;

/** Observations in the order they were made, each once. */
export function inOrder(observations: readonly Observation[]): readonly Observation[] {
  if (!observations.some(({ observedAt }, index) => index > 0 && observedAt <= observations[index - 1]!.observedAt)) {
    return observations;
  }
  const ordered = [...observations].sort((a, b) => a.observedAt - b.observedAt || a.balanceMinor - b.balanceMinor);
  return ordered.filter((observation, index) => !isRepetition(observation, ordered[index - 1]));
}

function isRepetition(observation: Observation, before: Observation | undefined): boolean {
  return before?.observedAt === observation.observedAt && before.balanceMinor === observation.balanceMinor;
}

/** Entries in one order, whatever order they were given in: where explanations cost the same, the first is taken. */
export function entriesInOrder(entries: readonly Entry[]): readonly Entry[] {
  const displaced = entries.findIndex((entry, place) => place > 0 && compareEntries(entries[place - 1]!, entry) > 0);
  if (displaced < 0) return entries;
  const ordered = entries.slice();
  // Mostly the days are in order already: then moving a few is several times faster than to sort all.
  let moves = ordered.length * MOVES_EACH;
  for (let place = displaced; place < ordered.length; place++) {
    const entry = ordered[place]!;
    let to = place;
    for (; to > 0 && compareEntries(ordered[to - 1]!, entry) > 0; to--) ordered[to] = ordered[to - 1]!;
    ordered[to] = entry;
    moves -= place - to;
    if (moves < 0) return ordered.sort(compareEntries);
  }
  return ordered;
}

function compareEntries(a: Entry, b: Entry): number {
  return (
    a.day - b.day ||
    a.amountMinor - b.amountMinor ||
    a.listedFrom - b.listedFrom ||
    (a.listedUntil ?? Infinity) - (b.listedUntil ?? Infinity) ||
    (a.key < b.key ? -1 : 1)
  );
}

/**
 * What was reported, observation by observation, as columns: the money that entries should explain. `reported` is the
 * holder's view unless the account's sign has to be learned.
 */
export interface Reports {
  count: number;
  at: Float64Array;
  /** The day of each observation, but never after the last day derived or after that of a later observation. */
  day: Float64Array;
  /** The day the provider says the balance is of; NaN where it does not say. */
  balanceDay: Float64Array;
  reported: Float64Array;
  /** The rest of the provider's balance, such as securities: `reported` + `otherMinor` is the whole balance. */
  otherMinor: Float64Array;
  /** The amounts of the pending transactions listed, and their sums. */
  pendingAmounts: readonly (readonly number[])[];
  pendingTotal: Float64Array;
}

export function toReports(observations: readonly Observation[], until: number): Reports {
  const count = observations.length;
  const at = new Float64Array(count);
  const balanceDays = new Float64Array(count);
  const reported = new Float64Array(count);
  const pendingAmounts = new Array<readonly number[]>(count);
  const pendingTotal = new Float64Array(count);
  for (let index = 0; index < count; index++) {
    const { observedAt, balanceDay, balanceMinor, pendingMinor } = observations[index]!;
    at[index] = observedAt;
    balanceDays[index] = balanceDay ?? NaN;
    reported[index] = balanceMinor;
    pendingAmounts[index] = pendingMinor;
    for (const amount of pendingMinor) pendingTotal[index]! += amount;
  }
  const otherMinor = new Float64Array(count);
  return {
    count,
    at,
    day: ascendingDays(observations, until),
    balanceDay: balanceDays,
    reported,
    otherMinor,
    pendingAmounts,
    pendingTotal,
  };
}

/** Keeps days ascending: after a move west, an older observation may have a later day than a newer one. */
function ascendingDays(observations: readonly Observation[], until: number): Float64Array {
  const days = new Float64Array(observations.length);
  let next = until;
  for (let index = days.length - 1; index >= 0; index--) {
    next = Math.min(observations[index]!.day, next);
    days[index] = next;
  }
  return days;
}

/** One figure of each. */
export function column<T>(items: readonly T[], figure: (item: T) => number): Float64Array<ArrayBuffer> {
  const figures = new Float64Array(items.length);
  // Several times faster than Float64Array.from, which asks for an iterator.
  for (let index = 0; index < figures.length; index++) figures[index] = figure(items[index]!);
  return figures;
}

/** Looks up as {@link firstAtOrAfter} does: at once where what is asked for mostly ascends, too. */
export function ascendingLookup(numbers: Float64Array): (wanted: number) => number {
  const { length } = numbers;
  let found = 0;
  return (wanted) => {
    const isLater = found === 0 || numbers[found - 1]! < wanted;
    if (isLater && found < length && numbers[found]! >= wanted) return found;
    if (isLater && found + 1 < length && numbers[found + 1]! >= wanted) return ++found;
    return (found = firstAtOrAfter(numbers, wanted));
  };
}

/** The index of the first of ascending numbers that is at least `moment`; their count if there is none. */
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
