import type { Entry } from '../ledger.js';
import type { Reports } from '../reports.js';
import { explainsMove } from './alignment-rules.js';
import { BITS } from './prices.js';

/** Balances or transactions that are reported in the other sign, from one observation to another. */
export interface Reversal {
  of: 'balances' | 'transactions';
  from: number;
  /** The first observation after it; the count of observations while it lasts. */
  until: number;
  bits: number;
  /** Whether it could as well be the other of the two that is reversed: the balances have been on both sides of zero. */
  isAmbiguous: boolean;
}

/** Up to this share of the balances on the other side of zero is an overdraft or a credit, and leaves no doubt. */
export const MAX_OVERDRAWN = 0.1;

/** So many more movements must be explained in the other sign before it is tried. */
const MIN_GAIN = 3;

/**
 * The reversal that explains most movements of the balance more than none does, if any: the stretch with the largest gain.
 *
 * @param sums by rule and observation, what transactions explain
 * @param isOwed whether a plausible balance is below zero
 */
export function likelyReversal(reports: Reports, sums: Float64Array, isOwed: boolean): Reversal | null {
  const { count, reported } = reports;
  const turnedFigures = inOtherSign(reports);
  const turned = turnedBalances(reports, sums, isOwed);
  if (turned) return turned;
  let [gain, start, mostGain, from, until] = [0, 1, 0, 0, 0];
  let isFirst = true;
  for (let index = 1; index < count; index++) {
    const moved = reported[index]! - reported[index - 1]!;
    const turnedMove = turnedFigures[index]! - turnedFigures[index - 1]!;
    const isReversed = moved !== 0 && (explainsMove(sums, index, -moved) || explainsMove(sums, index, turnedMove));
    const isPlain = moved !== 0 && !isReversed && explainsMove(sums, index, moved);
    if (isReversed && isFirst) start = 0;
    if (isReversed || isPlain) isFirst = false;
    if (gain <= 0 && isReversed && start !== 0) start = index;
    gain = Math.max(0, gain + (isReversed ? 1 : 0) - (isPlain ? 1 : 0));
    if (gain > mostGain) [mostGain, from, until] = [gain, start, index + 1];
    if (gain === 0) start = -1;
  }
  if (mostGain < MIN_GAIN) return null;
  const lasts = !plainAfter(reports, sums, until);
  const isAlways = from === 0 && lasts;
  const bits = BITS.reversed + (isAlways ? 0 : Math.log2(count));
  const implausible = balancesOf(reports)
    .subarray(from, until)
    .filter((amount) => (isOwed ? amount > 0 : amount < 0)).length;
  const stretch = until - from;
  const of = !lasts || implausible * 2 > stretch ? 'balances' : 'transactions';
  const fewer = Math.min(implausible, stretch - implausible);
  const isAmbiguous = lasts && fewer > stretch * MAX_OVERDRAWN;
  return { of, from, until: lasts ? count : until, bits, isAmbiguous };
}

/**
 * A balance that is its own opposite from one report to the next, but for what is listed meanwhile: of the two the one
 * that is implausible is in the other sign, and so are the reports beside it that are.
 */
function turnedBalances(reports: Reports, sums: Float64Array, isOwed: boolean): Reversal | null {
  const { count, reported } = reports;
  const balances = balancesOf(reports);
  const turned = inOtherSign(reports);
  const isListed = (index: number, moved: number) => explainsMove(sums, index, moved);
  const isTurn = (index: number) => {
    const [before, now] = [reported[index - 1]!, reported[index]!];
    if (balances[index] === 0 || isListed(index, now - before)) return false;
    return isListed(index, now - turned[index - 1]!) || isListed(index, turned[index]! - before);
  };
  const isImplausible = (index: number) => (isOwed ? balances[index]! > 0 : balances[index]! < 0);
  const isMirrored = (index: number) => isListed(index, turned[index]! - turned[index - 1]!);
  let turn = 1;
  while (turn < count && !isTurn(turn)) turn++;
  if (turn >= count) return null;
  let from = isImplausible(turn) ? turn : turn - 1;
  let until = from + 1;
  while (from > 0 && from !== turn && (isImplausible(from - 1) || isMirrored(from))) from--;
  while (until < count && !isTurn(until) && (isImplausible(until) || isMirrored(until))) until++;
  return { of: 'balances', from, until, bits: BITS.reversed + Math.log2(count), isAmbiguous: false };
}

/** Whether anything after an observation is explained in the plain sign. */
function plainAfter({ count, reported }: Reports, sums: Float64Array, until: number): boolean {
  for (let index = until; index < count; index++) {
    const moved = reported[index]! - reported[index - 1]!;
    if (moved !== 0 && explainsMove(sums, index, moved)) return true;
  }
  return false;
}

/** The balances as the provider gave them. */
function balancesOf({ reported, beside }: Reports): Float64Array {
  return reported.map((amount, index) => amount + beside[index]!);
}

/** What entries should explain if the balances are in the other sign: it is the whole balance that turns. */
function inOtherSign({ reported, beside }: Reports): Float64Array {
  // Not -0 for 0.
  return reported.map((amount, index) => 0 - amount - 2 * beside[index]!);
}

/** The entries and reports in their plain sign. */
export function undoReversal(
  { of, from, until }: Reversal,
  entries: readonly Entry[],
  reports: Reports,
): { entries: readonly Entry[]; reports: Reports } {
  if (of === 'balances') {
    const turned = inOtherSign(reports);
    const reported = reports.reported.map((amount, index) =>
      index >= from && index < until ? turned[index]! : amount,
    );
    return { entries, reports: { ...reports, reported } };
  }
  const since = from === 0 ? -Infinity : reports.at[from]!;
  const flip = (entry: Entry) => (entry.listedFrom >= since ? { ...entry, amountMinor: -entry.amountMinor } : entry);
  return { entries: entries.map(flip), reports };
}
