import type { ReportedSign } from './account-type.js';
import { firstAtOrAfter } from './arrivals.js';
import type { ReadEntries } from './readings.js';
import type { Reports } from './reports.js';
import { SETTLING_DAYS } from './story.js';

/** Traits of an account's reported balance, learned from its own observations. */
export interface Habits {
  /** What turns a reported balance into the holder's view. */
  sign: 1 | -1;
  /** Whether it includes the pending holds listed beside it. */
  holdsIncluded: boolean;
  /** For each balance the observation whose list and holds it is held against. */
  beside: Int32Array;
  /** For each reading what it costs to believe, in bits: the oftener it explained a movement, the less. */
  readingBits: readonly number[];
  /** What it costs to believe that an entry is listed late, in bits. */
  lateBits: number;
}

/** After the first days, habits that explain less than this share of what others do are out of the question. */
const WORTH_TRYING = 0.7;

type Hypothesis = Pick<Habits, 'sign' | 'holdsIncluded' | 'beside'>;

/**
 * The habits an account may have, the one under which most movements of the balance are explained first; among equals,
 * the one that is believed without evidence.
 */
export function possibleHabits(reports: Reports, { sums, starts }: ReadEntries, sign: ReportedSign): Habits[] {
  const mayOwePositive = sign === 'learned' && reports.reported.some((amount) => amount > 0);
  const signs = mayOwePositive ? ([1, -1] as const) : ([1] as const);
  const inclusions = reports.held.some((amount) => amount !== 0) ? [false, true] : [false];
  const late = lateBits(starts);
  const isNew = reports.day.at(-1)! - reports.day[0]! <= SETTLING_DAYS;
  const lists = possibleLists(reports);
  const habits = signs
    .flatMap((sign) => inclusions.map((holdsIncluded) => ({ sign, holdsIncluded })))
    .flatMap((traits) => lists.map((beside) => ({ ...traits, beside })))
    .map((hypothesis) => ({ hypothesis, votes: countExplained(reports, sums, hypothesis) }))
    .sort((a, b) => b.votes.total - a.votes.total);
  return habits
    .filter(({ votes }) => isNew || votes.total >= habits[0]!.votes.total * WORTH_TRYING)
    .map(({ hypothesis, votes }) => ({ ...hypothesis, readingBits: toBits(votes.byReading), lateBits: late }));
}

/**
 * A balance is held against the list beside it; or, where the provider says that it is of an earlier day, against the
 * first list after that day.
 */
function possibleLists({ count, day, balanceDay }: Reports): Int32Array[] {
  const own = new Int32Array(count);
  const told = new Int32Array(count);
  let areSame = true;
  for (let index = 0; index < count; index++) {
    own[index] = index;
    told[index] = balanceDay[index]! < day[index]! ? firstAtOrAfter(day, balanceDay[index]! + 1) : index;
    if (told[index] !== index) areSame = false;
  }
  return areSame ? [own] : [told, own];
}

/** From the entries that came after the first observation: was there one of a later day that did not know them? */
function lateBits([agreed, behind]: readonly Int32Array[]): number {
  let late = 0.01;
  let all = 2;
  for (let entry = 0; entry < agreed!.length; entry++) {
    const seen = agreed![entry]!;
    if (seen === 0) continue;
    all++;
    if (behind![entry]! < seen) late++;
  }
  return Math.log2(all / late);
}

interface Votes {
  total: number;
  /** Where the readings differ: how often each of them was right. */
  byReading: number[];
}

function countExplained({ count, reported, held }: Reports, explained: readonly Float64Array[], habits: Hypothesis) {
  const votes: Votes = { total: 0, byReading: explained.map(() => 0) };
  const isRight = new Uint8Array(explained.length);
  for (let index = 1; index < count; index++) {
    const now = habits.beside[index]!;
    const before = habits.beside[index - 1]!;
    const heldMore = habits.holdsIncluded ? held[now]! - held[before]! : 0;
    const moved = (reported[index]! - reported[index - 1]!) * habits.sign - heldMore;
    let rightCount = 0;
    for (let rank = 0; rank < explained.length; rank++) {
      isRight[rank] = explained[rank]![now]! - explained[rank]![before]! === moved ? 1 : 0;
      rightCount += isRight[rank]!;
    }
    if (rightCount > 0) votes.total++;
    if (rightCount > 0 && rightCount < isRight.length) isRight.forEach((one, rank) => (votes.byReading[rank]! += one));
  }
  return votes;
}

/** Before anything is learned, each reading down the list is believed half as much as the one before. */
function toBits(votes: readonly number[]): number[] {
  const weights = votes.map((count, rank) => count + 4 * 2 ** -rank);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => Math.log2(total / weight));
}

/** For every reading what the entries leave unexplained of each reported balance, in the holder's view. */
export function unexplained(reports: Reports, explained: readonly Float64Array[], habits: Habits): Float64Array[] {
  const { count, reported, held } = reports;
  return explained.map((sums) => {
    const column = new Float64Array(count);
    for (let index = 0; index < count; index++) {
      const beside = habits.beside[index]!;
      const included = habits.holdsIncluded ? held[beside]! : 0;
      column[index] = reported[index]! * habits.sign - included - sums[beside]!;
    }
    return column;
  });
}
