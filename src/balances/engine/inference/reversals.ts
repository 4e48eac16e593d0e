import type { AccountRules } from '../account-type.js';
import type { Entry } from '../ledger.js';
import type { Reports } from '../reports.js';
import { explainsMove } from './alignment-rules.js';
import { BITS } from './costs.js';
import { FEW_REPORTS } from './rounding.js';

/** Balances or transactions that are reported in the other sign. */
export interface Reversal {
  of: 'balances' | 'transactions';
  /** When they were, in order; one span if they are transactions. */
  spans: readonly Span[];
  bits: number;
}

/** From one observation to another. */
interface Span {
  from: number;
  /** The first observation after it; the count of observations while it lasts. */
  until: number;
}

/**
 * The reversals worth trying: all spans in which balances are seen to turn; and, for the stretch in which the opposite
 * sign explains the most additional movements, reversed balances and reversed transactions.
 *
 * @param sums by rule and observation, what transactions explain
 * @param toleranceMinor how far off balances may be because they are rounded
 * @param limit bits; a stretch that costs more is not looked for
 */
export function likelyReversals(
  entries: readonly Entry[],
  reports: Reports,
  sums: Float64Array,
  { factor, hasCash }: Pick<AccountRules, 'factor' | 'hasCash'>,
  toleranceMinor: number,
  limit: number,
): Reversal[] {
  const isOwed = factor === -1;
  const explains: Explains = (to, from, movedMinor) => explainsMove(sums, to, from, movedMinor, toleranceMinor);
  const figures = [reports.reported, inOtherSign(reports)] as const;
  const turned = turnedBalances(reports, figures, explains, isOwed);
  const shareIn = (since: number) => (hasCash ? shareOfIncome(entries, since) : EVEN);
  const mayBeginLater = laterBits(reports) <= limit;
  const stretch = reversedStretch(figures, explains, toleranceMinor, mayBeginLater);
  return [...(turned ? [turned] : []), ...(stretch ? reversalsOf(stretch, reports, isOwed, shareIn) : [])];
}

/** Whether the list explains by how much a balance moved from one observation to another. */
type Explains = (to: number, from: number, movedMinor: number) => boolean;

/** The stretch of observations in which the opposite sign explains the most additional movements. */
interface Stretch extends Span {
  /** Where the balances may have turned unseen: at the first movement before it that nothing explains. */
  turnedFrom: number;
  /** Whether no movement is explained in the plain sign after it. */
  lasts: boolean;
}

function reversedStretch(
  [plain, turned]: Figures,
  explains: Explains,
  toleranceMinor: number,
  mayBeginLater: boolean,
): Stretch | null {
  let [gain, start, mostGain, from, until] = [0, 1, 0, 0, 0];
  // The first movement since the last plain one that nothing explains.
  let [odd, turnedFrom] = [-1, 0];
  let lastPlain = 0;
  for (let index = 1; index < plain.length; index++) {
    const moved = plain[index]! - plain[index - 1]!;
    const turnedMove = turned[index]! - turned[index - 1]!;
    // A movement that may be rounding alone shows no sign.
    const hasMoved = Math.abs(moved) > 2 * toleranceMinor;
    const isReversed =
      hasMoved &&
      (explains(index, index - 1, turnedMove) || (turnedMove !== -moved && explains(index, index - 1, -moved)));
    const isPlain = hasMoved && !isReversed && explains(index, index - 1, moved);
    // With a plain movement before all reversed ones, no stretch begins with the first balance.
    if (isPlain && lastPlain === 0 && start !== 0 && !mayBeginLater) return null;
    if (isReversed && mostGain === 0 && lastPlain === 0) start = 0;
    if (gain <= 0 && isReversed && start !== 0) start = index;
    gain = Math.max(0, gain + (isReversed ? 1 : 0) - (isPlain ? 1 : 0));
    if (gain > mostGain) [mostGain, from, until, turnedFrom] = [gain, start, index + 1, odd > 0 ? odd : start];
    if (gain === 0) start = -1;
    if (isPlain) [odd, lastPlain] = [-1, index];
    else if (hasMoved && !isReversed && odd < 0 && gain === 0) odd = index;
  }
  return mostGain === 0 ? null : { from, until, turnedFrom, lasts: lastPlain < until };
}

/** Reversed balances and, where the stretch lasts, reversed transactions: what each costs to believe. */
function reversalsOf(
  { from, until, turnedFrom, lasts }: Stretch,
  reports: Reports,
  isOwed: boolean,
  shareIn: (since: number) => number,
): Reversal[] {
  const { count } = reports;
  const isAlways = from === 0 && lasts;
  const bits = isAlways ? BITS.reversed : laterBits(reports);
  /** @param sign of the balances, as they are reported or turned */
  const reversal = (of: Reversal['of'], since: number, sign: 1 | -1): Reversal => {
    // The balances after the first one of a later stretch follow from it, so they tell nothing of their sign.
    const judged = balancesOf(reports, since, since === 0 ? until : since + 1);
    const implausible = judged.filter((amount) => (isOwed ? amount * sign > 0 : amount * sign < 0)).length;
    const spans = [{ from: since, until: lasts ? count : until }];
    // A stretch that has ended can only be one of balances, so there is nothing to tell apart.
    const income = lasts ? shareIn(listedSince(reports, since)) : EVEN;
    const incomeBits = BITS.income * excess(of === 'balances' ? income : 1 - income);
    return { of, spans, bits: bits + BITS.inCredit * excess(implausible / judged.length) + incomeBits };
  };
  const balances = reversal('balances', from === 0 ? 0 : turnedFrom, -1);
  if (!lasts) return [balances];
  const transactions = reversal('transactions', from, 1);
  // Exactly one of the two is reversed, so evidence against both is subtracted from each.
  const both = Math.min(balances.bits, transactions.bits) - bits;
  return [balances, transactions].map((one) => ({ ...one, bits: one.bits - both }));
}

/** What it costs to believe that the sign turns at one of the reports. */
function laterBits({ count }: Reports): number {
  return BITS.reversed + Math.log2(count);
}

/** A share that tells nothing. */
export const EVEN = 0.5;

/** By how much a share is more than {@link EVEN}, from 0 to 1. */
export function excess(share: number): number {
  return Math.max(0, share / EVEN - 1);
}

/** The share of what is listed since a moment that is income, drawn to a half where it is little. */
export function shareOfIncome(entries: readonly Entry[], since: number): number {
  let [income, all] = [1, 2];
  for (const { listedFrom, amountMinor } of entries) {
    if (listedFrom < since) continue;
    all++;
    if (amountMinor > 0) income++;
  }
  return income / all;
}

/** The moment from which on what is listed belongs to the balances from an observation on. */
function listedSince({ at }: Reports, index: number): number {
  return index === 0 ? -Infinity : at[index]!;
}

/**
 * A balance that is its own opposite from one report to the next, but for what is listed meanwhile, is in another sign than
 * the one before. The signs of all balances are the cheapest sequence of two states, as the offsets are: a turn has its
 * cost, and so has a movement that the list does not explain. A few outliers, such as a 0, may stand between the two balances of a turn. Movements decide which sign is the reversed one,
 * and otherwise the side of zero that the first balance is on.
 */
function turnedBalances(reports: Reports, figures: Figures, explains: Explains, isOwed: boolean): Reversal | null {
  const { count } = reports;
  if (!hasTurn(figures, explains)) return null;
  const first = balancesOf(reports, 0, 1)[0]!;
  const isImplausible = isOwed ? first > 0 : first < 0;
  // Two states an observation: in the plain sign, in the other one.
  const costs = new Float64Array(count * 2).fill(Infinity);
  const froms = new Int32Array(count * 2);
  costs[0] = isImplausible ? BITS.reversed : 0;
  costs[1] = BITS.reversed - costs[0];
  for (let at = 2; at < costs.length; at++) {
    const [index, sign] = [at >> 1, at & 1];
    for (let from = 2 * Math.max(0, index - FEW_REPORTS); from < 2 * index; from++) {
      const odd = index - 1 - (from >> 1);
      const turns = (from & 1) !== sign;
      let bits = costs[from]! + (turns ? BITS.reversed : 0) + odd * (BITS.excursion + BITS.excursionDay);
      if (!isExplained(figures, explains, from, at)) bits += turns || odd > 0 ? Infinity : BITS.change;
      if (bits < costs[at]!) [costs[at], froms[at]] = [bits, from];
    }
  }
  const isTurned = new Uint8Array(count);
  let at = costs.length - (costs.at(-1)! < costs.at(-2)! ? 1 : 2);
  for (; at > 1; at = froms[at]!) isTurned.fill(at & 1, (froms[at]! >> 1) + 1, (at >> 1) + 1);
  isTurned[0] = at & 1;
  // Whether the balances of a card are positive debts is decided later, so both of its ends are in the plain sign.
  const isPositive = isOwed && isTurned[0] === 1 && isTurned.at(-1) === 1;
  const spans = spansOf(isPositive ? isTurned.map((turned) => 1 - turned) : isTurned);
  const isOneSign = spans.length === 0 || (spans[0]!.from === 0 && spans[0]!.until === count);
  if (isOneSign) return null;
  return { of: 'balances', spans, bits: spans.length * BITS.reversed };
}

/** The balances in the plain sign, and in the other one. */
type Figures = readonly [Float64Array, Float64Array];

/** Whether the list explains that a balance in one sign becomes another one; each given as twice its index, and 1 if turned. */
function isExplained(figures: Figures, explains: Explains, from: number, to: number): boolean {
  const moved = figures[to & 1]![to >> 1]! - figures[from & 1]![from >> 1]!;
  return explains(to >> 1, from >> 1, moved);
}

/** Whether any balance is the opposite of one shortly before it. Mostly none is: then there is nothing to find out. */
function hasTurn(figures: Figures, explains: Explains): boolean {
  for (let index = 1; index < figures[0].length; index++) {
    const at = 2 * index;
    if (figures[0][index] === figures[1][index] || isExplained(figures, explains, at - 2, at)) continue;
    for (let from = 2 * Math.max(0, index - FEW_REPORTS); from < at; from += 2) {
      if (isExplained(figures, explains, from, at + 1) || isExplained(figures, explains, from + 1, at)) return true;
    }
  }
  return false;
}

function spansOf(isTurned: Uint8Array): Span[] {
  const spans: Span[] = [];
  isTurned.forEach((turned, index) => {
    if (turned === 0) return;
    const last = spans.at(-1);
    if (last?.until === index) last.until = index + 1;
    else spans.push({ from: index, until: index + 1 });
  });
  return spans;
}

/** The balances from one observation to another as the provider gave them. */
function balancesOf({ reported, otherMinor }: Reports, from: number, until: number): Float64Array {
  return reported.subarray(from, until).map((amount, index) => amount + otherMinor[from + index]!);
}

/** What entries should explain if the balances are in the other sign: it is the whole balance that turns. */
function inOtherSign({ reported, otherMinor }: Reports): Float64Array {
  const figures = new Float64Array(reported.length);
  // Not -0 for 0.
  for (let index = 0; index < figures.length; index++) figures[index] = 0 - reported[index]! - 2 * otherMinor[index]!;
  return figures;
}

/** The entries and reports in their plain sign. */
export function undoReversal(
  { of, spans }: Reversal,
  entries: readonly Entry[],
  reports: Reports,
): { entries: readonly Entry[]; reports: Reports } {
  if (of === 'balances') {
    const turned = inOtherSign(reports);
    const reported = reports.reported.slice();
    for (const { from, until } of spans) reported.set(turned.subarray(from, until), from);
    return { entries, reports: { ...reports, reported } };
  }
  const since = listedSince(reports, spans[0]!.from);
  const isTurned = ({ listedFrom, hasHoldersSign }: Entry) => listedFrom >= since && !hasHoldersSign;
  const flip = (entry: Entry) => (isTurned(entry) ? { ...entry, amountMinor: -entry.amountMinor } : entry);
  return { entries: entries.map(flip), reports };
}
