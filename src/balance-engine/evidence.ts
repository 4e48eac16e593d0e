import type { Entry } from './ledger.js';
import { type Evidence, SETTLING_DAYS } from './levels.js';
import type { Reports } from './reports.js';
import type { Arrivals } from './arrivals.js';

/** With more entries in doubt than this, none of their sums would prove anything. */
const MAX_IN_DOUBT = 7;

/**
 * @param unexplained for every reading, the plainest first and "the list is behind" second, what it leaves unexplained at
 * each observation
 */
export function toEvidence({ day }: Reports, unexplained: readonly Float64Array[], arrivals: Arrivals): Evidence {
  const listBehind = unexplained[1]!;
  const doubts: number[][] = [];
  const inDoubt = (index: number) => (doubts[index] ??= amountsInDoubt(arrivals, day, index));
  return {
    days: day,
    strain(index, amountMinor) {
      const rank = unexplained.findIndex((reading) => reading[index] === amountMinor);
      if (rank >= 0) return rank;
      return isSumOfSome(inDoubt(index), amountMinor - listBehind[index]!, 0) ? unexplained.length : -1;
    },
    *candidates(index) {
      for (const reading of unexplained) yield reading[index]!;
      for (const sum of sumsOf(inDoubt(index))) yield listBehind[index]! + sum;
    },
    *hindsight(index) {
      // What the balance had already taken as a hold that was not listed.
      for (const entry of listedSoonAfter(arrivals, day, index)) {
        if (entry.day > day[index]!) yield listBehind[index]! - entry.amountMinor;
      }
    },
  };
}

/**
 * Entries that were listed after an observation, though their day had come: any of them may have been in its balance
 * already. As amounts to add to what the reading "the list is behind" leaves unexplained when its guess is turned round.
 */
function amountsInDoubt(arrivals: Arrivals, days: Float64Array, index: number): number[] {
  const amounts: number[] = [];
  for (const { day, amountMinor } of listedSoonAfter(arrivals, days, index)) {
    if (day <= days[index]!) amounts.push(day < days[index]! ? amountMinor : -amountMinor);
    if (amounts.length > MAX_IN_DOUBT) return [];
  }
  return amounts;
}

function* listedSoonAfter(arrivals: Arrivals, days: Float64Array, index: number): Generator<Entry> {
  for (let seen = index + 1; seen < days.length && days[seen]! - days[index]! <= SETTLING_DAYS; seen++) {
    yield* arrivals.firstSeenAt(seen);
  }
}

function isSumOfSome(amounts: readonly number[], wanted: number, from: number): boolean {
  for (let index = from; index < amounts.length; index++) {
    const rest = wanted - amounts[index]!;
    if (rest === 0 || isSumOfSome(amounts, rest, index + 1)) return true;
  }
  return false;
}

function sumsOf(amounts: readonly number[]): number[] {
  return amounts.reduce((sums, amount) => sums.concat(sums.map((sum) => sum + amount)), [0]).slice(1);
}
