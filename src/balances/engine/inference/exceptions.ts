import { SETTLING_DAYS } from '../ledger.js';
import type { Reports } from '../reports.js';
import type { AlignedSums } from './alignment-rules.js';
import { BITS } from './costs.js';
import { type FirstSeenIndex, type Movement, NEAR_CUT_DAYS } from './first-seen.js';

/** How many of the nearest movements may be exceptions: where one is, two are, and so on. More would explain any offset. */
export const MAX_NEAR_CUT = [40, 14, 10, 8] as const;

/** The movements about which the rules disagree, and those that may have been pending; the nearest days first. */
export function findNearCut(
  index: number,
  { at, day: days, count }: Reports,
  { movements, firstSeenAt }: FirstSeenIndex,
  { startsOf }: AlignedSums,
): number[] {
  const day = days[index]!;
  // Where reports are a week apart, what is still missing may be that old.
  const oldest = Math.max(Math.min(day - NEAR_CUT_DAYS, days[Math.max(0, index - 1)]!), day - SETTLING_DAYS);
  const distance = (place: number) => Math.abs(movements[place]!.day - day);
  const order = (a: number, b: number) =>
    distance(a) - distance(b) ||
    movements[a]!.day - movements[b]!.day ||
    movements[a]!.amountMinor - movements[b]!.amountMinor;
  const nearest: number[] = [];
  const consider = (seen: number) => {
    for (const place of firstSeenAt(seen)) {
      const { day: booked, amountMinor } = movements[place]!;
      if (booked < oldest || amountMinor === 0) continue;
      const mayBePending = amountMinor < 0 && booked > day && booked - day <= SETTLING_DAYS && seen > index;
      if (mayBePending || isDisputed(movements[place]!, startsOf(place), index, at[index]!))
        insertSorted(nearest, place, order, MAX_NEAR_CUT[0]);
    }
  };
  for (let before = index; before >= 0 && days[before]! >= oldest; before--) consider(before);
  // Whatever the next report is the first to see may be in this one.
  for (let after = index + 1; after < count; after++) {
    if (after > index + 1 && days[after]! - day > SETTLING_DAYS) break;
    consider(after);
  }
  return nearest;
}

/** Whether some rules say that the balance of an observation has a movement, and others that it has not. */
function isDisputed({ correctsSince = Infinity }: Movement, starts: Int32Array, index: number, at: number): boolean {
  const isIn = starts.some((start) => start <= index) || correctsSince <= at;
  return isIn && starts.some((start) => start > index);
}

/** Inserts into a short sorted list, so that thousands of movements are not all sorted. */
function insertSorted(sorted: number[], item: number, order: (a: number, b: number) => number, max: number): void {
  let place = sorted.length;
  while (place > 0 && order(sorted[place - 1]!, item) > 0) place--;
  if (place >= max) return;
  sorted.splice(place, 0, item);
  if (sorted.length > max) sorted.pop();
}

/** Adds every offset that exceptions for some of the amounts, the nearest of which come first, lead to. */
export function makeExceptions(
  known: Map<number, number>,
  offset: number,
  bits: number,
  amounts: readonly number[],
  from = 0,
  made = 0,
): void {
  const end = Math.min(amounts.length, MAX_NEAR_CUT[made]!);
  for (let place = from; place < end; place++) {
    const next = offset + amounts[place]!;
    keepCheapest(known, next, bits + BITS.exception);
    if (made + 1 < MAX_NEAR_CUT.length) {
      makeExceptions(known, next, bits + BITS.exception, amounts, place + 1, made + 1);
    }
  }
}

function keepCheapest(known: Map<number, number>, offset: number, bits: number): void {
  const before = known.get(offset);
  if (before === undefined || bits < before) known.set(offset, bits);
}
