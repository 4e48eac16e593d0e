import type { Reports } from '../reports.js';
import type { Movement } from './movements.js';

/** Balances in whole units are as many minor units apart from the true ones as this, at most. */
const HALF_UNIT = 50;
/** How far two of them, or their offsets, may be apart although nothing moved. */
export const UNIT = 2 * HALF_UNIT;
/** An offset this far outside the range that the reports allow is kept, because moving it moves all of the past. */
const SLACK = 15;
/** With fewer reports whole units are a coincidence. */
const MIN_REPORTS = 5;
const MIN_SHARE = 0.5;

/** Whether balances are reported in whole units although transactions are not. */
export function isRounded({ count, reported }: Reports, movements: readonly Movement[]): boolean {
  if (count < MIN_REPORTS || reported.some((amount) => amount % UNIT !== 0)) return false;
  const odd = movements.filter(({ amountMinor }) => amountMinor % UNIT !== 0).length;
  return odd > 0 && odd >= movements.length * MIN_SHARE;
}

/** Rounding moves offsets by up to a unit from each other: those so near to an earlier one are taken for that. */
export function snapOffsets(offsets: Float64Array): Float64Array {
  const known: number[] = [];
  return offsets.map((offset) => {
    const same = known.find((other) => Math.abs(other - offset) <= UNIT);
    if (same === undefined) known.push(offset);
    return same ?? offset;
  });
}

/**
 * The offset that all reports of a stretch agree about: as it was first, and where one clearly rules that out, the middle
 * of what is left, which later reports move less often than its edge.
 *
 * @param offsets of each report, rounded each in its own way
 */
export function agreedOffset(offsets: readonly number[]): number {
  let [agreed, low, high] = [offsets[0]!, -Infinity, Infinity];
  for (const offset of offsets) {
    low = Math.max(low, offset - HALF_UNIT);
    high = Math.min(high, offset + HALF_UNIT);
    if (low > high) break;
    if (agreed < low - SLACK || agreed > high + SLACK) agreed = Math.round((low + high) / 2);
  }
  return agreed;
}
