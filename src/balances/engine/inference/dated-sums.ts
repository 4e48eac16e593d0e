import type { DayNumber } from '../ledger.js';
import { firstAtOrAfter } from '../reports.js';
import type { Movement } from './first-seen.js';

/** The sum of all movements dated up to a day, whenever they were listed: what a balance of the end of that day has. */
export class DatedSums {
  #days: Float64Array | null = null;
  #sums = new Float64Array();

  constructor(private readonly movements: readonly Movement[]) {}

  upTo(day: DayNumber): number {
    const days = (this.#days ??= this.#sort());
    const count = firstAtOrAfter(days, day + 1);
    return count === 0 ? 0 : this.#sums[count - 1]!;
  }

  #sort(): Float64Array {
    const sorted = [...this.movements].sort((a, b) => a.day - b.day);
    let sum = 0;
    this.#sums = Float64Array.from(sorted, ({ amountMinor }) => (sum += amountMinor));
    return Float64Array.from(sorted, ({ day }) => day);
  }
}
