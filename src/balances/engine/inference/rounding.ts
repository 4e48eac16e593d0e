import type { Reports } from '../reports.js';
import { KNOWN_BITS } from './costs.js';
import type { Movement } from './first-seen.js';

/** Units that balances may be rounded to, in minor units: a hundred dollars or dinars, ten, one, ten cents. */
const UNITS = [100_000, 10_000, 1_000, 100, 10];
/** What fewer reports have in common is a coincidence. */
export const FEW_REPORTS = 5;

/**
 * The unit that balances are rounded to although transactions are not, in minor units; 0 if they are exact. That all of the
 * digits that a unit leaves out are 0 by chance, in all figures but the first, must be as unlikely as a wrong known day.
 */
export function roundingUnit({ count, reported }: Reports, movements: readonly Movement[]): number {
  // Mostly a figure is of no unit: then all of them need not be counted.
  if (count < FEW_REPORTS || reported.some((amount) => amount % UNITS.at(-1)! !== 0)) return 0;
  const figures = [...new Set(reported)].filter((amount) => amount !== 0);
  const isUnit = (unit: number) =>
    (figures.length - 1) * Math.log2(unit) >= KNOWN_BITS &&
    figures.every((amount) => amount % unit === 0) &&
    movements.some(({ amountMinor }) => amountMinor % unit !== 0);
  return UNITS.find(isUnit) ?? 0;
}

/** Rounding moves offsets by up to a unit from each other: those so near to an earlier one are taken for that. */
export function snapOffsets(offsets: Float64Array, unit: number): Float64Array {
  const known: number[] = [];
  return offsets.map((offset) => {
    const same = known.find((other) => Math.abs(other - offset) <= unit);
    if (same === undefined) known.push(offset);
    return same ?? offset;
  });
}
