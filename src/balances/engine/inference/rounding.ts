import type { Reports } from '../reports.js';
import type { Movement } from './first-seen.js';

/** Units that balances may be rounded to, in minor units: a hundred dollars or dinars, ten, one, ten cents. */
const UNITS = [100_000, 10_000, 1_000, 100, 10];
/** What fewer reports have in common is a coincidence; */
export const FEW_REPORTS = 5;
/** and so are round balances with fewer digits that are 0 in all of their figures. */
const MIN_DIGITS = 6;
const MIN_SHARE = 0.5;

/** The unit that balances are rounded to although transactions are not, in minor units; 0 if they are exact. */
export function roundingUnit({ count, reported }: Reports, movements: readonly Movement[]): number {
  // Mostly a figure is of no unit: then all of them need not be counted.
  if (count < FEW_REPORTS || reported.some((amount) => amount % UNITS.at(-1)! !== 0)) return 0;
  const figures = [...new Set(reported)].filter((amount) => amount !== 0);
  const isUnit = (unit: number) => {
    if (figures.length * Math.log10(unit) < MIN_DIGITS || figures.some((amount) => amount % unit !== 0)) return false;
    const odd = movements.filter(({ amountMinor }) => amountMinor % unit !== 0).length;
    return odd > 0 && odd >= movements.length * MIN_SHARE;
  };
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
