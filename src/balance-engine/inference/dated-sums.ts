import type { DayNumber } from '../ledger.js';
import type { Movement } from './movements.js';

/** The sum of all movements dated up to a day, whenever they were listed: what a balance of the end of that day has. */
export class DatedSums {
  #days: Float64Array | null = null;
  #sums = new Float64Array();

  constructor(private readonly movements: readonly Movement[]) {}

  upTo(day: DayNumber): number {
    const days = (this.#days ??= this.#sort());
    let low = 0;
    let high = days.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (days[middle]! <= day) low = middle + 1;
      else high = middle;
    }
    return low === 0 ? 0 : this.#sums[low - 1]!;
  }

  #sort(): Float64Array {
    const sorted = [...this.movements].sort((a, b) => a.day - b.day);
    let sum = 0;
    this.#sums = Float64Array.from(sorted, ({ amountMinor }) => (sum += amountMinor));
    return Float64Array.from(sorted, ({ day }) => day);
  }
}
