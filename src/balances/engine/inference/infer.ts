import type { AccountRules } from '../account-type.js';
import type { DayNumber, Entry } from '../ledger.js';
import type { Reports } from '../reports.js';
import type { Steps } from '../steps.js';
import { type AlignedSums, alignSums } from './alignment-rules.js';
import { DatedSums } from './dated-sums.js';
import { KNOWN_BITS } from './costs.js';
import { debitedMonthly } from './debited-monthly.js';
import { MAX_UNEXPLAINED, OffsetDecoder, type State } from './decoder.js';
import { ExplainedOffsets } from './explained-offsets.js';
import type { Baseline, Explanation } from './explanation.js';
import { type FirstSeenIndex, indexFirstSeen, type Movement } from './first-seen.js';
import { basesOf, type Explained, findRivals } from './margins.js';
import { NO_COINCIDENCE, toMovements } from './movements.js';
import { mirror, mirrorBits } from './orientation.js';
import { likelyReversals, type Reversal, undoReversal } from './reversals.js';
import { roundingUnit } from './rounding.js';
import { likelyTraits, type SignHypothesis, signHypotheses } from './traits.js';

type SignRules = Pick<AccountRules, 'sign' | 'factor' | 'hasCash'>;

interface Decoded extends Explained {
  reversal: Reversal | null;
  /** That balances are rounded to. */
  unit: number;
  isSeenOnce: boolean;
}

/** Infers how transactions and reported balances of an account belong together. */
export function* infer(entries: readonly Entry[], reports: Reports, rules: SignRules): Steps<Explanation> {
  const { sign } = rules;
  const signs = signHypotheses(reports, sign);
  const plain = align(entries, reports);
  const decoded = yield* decodeAll([], plain, entries, signs, null);
  decoded.sort((a, b) => a.best.cost - b.best.cost);
  const debited = yield* debitedMonthly(decoded[0]!.decoder, entries, plain.index, plain.aligned);
  if (debited) {
    const aligned = align(debited.entries, reports, debited.before);
    yield* decodeAll(decoded, aligned, debited.entries, signs, null, debited);
  }
  const first = signs[0].reports;
  const limit = limitOf(decoded);
  for (const reversal of likelyReversals(entries, first, plain.aligned.sums, rules, plain.unit, limit)) {
    if (reversal.bits >= limitOf(decoded)) continue;
    const undone = undoReversal(reversal, entries, first);
    const undoneSigns = signHypotheses(undone.reports, sign === 'learned' ? sign : 'holder');
    yield* decodeAll(decoded, align(undone.entries, undone.reports), undone.entries, undoneSigns, reversal);
  }
  decoded.sort((a, b) => a.best.cost - b.best.cost);
  yield* decodeFromLater(decoded, decoded[0]!);
  decoded.sort((a, b) => a.best.cost - b.best.cost);
  const explanation = yield* explain(decoded);
  if (rules.factor === 1) return explanation;
  const bits = mirrorBits(explanation, reports, rules);
  // That a bank turns all rows and all balances is plausible at best: no movement can show it.
  explanation.signBits = explanation.reversal ? Math.abs(bits) : Math.max(0, bits);
  if (bits >= 0 || !explanation.reversal) return explanation;
  const mirrored = mirror(explanation, reports);
  const seen = { reports: mirrored.reports, isDebtPositive: mirrored.isDebtPositive && sign === 'learned', bits: 0 };
  const again = yield* decodeAll([], align(mirrored.entries, mirrored.reports), mirrored.entries, [seen], null);
  again.sort((a, b) => a.best.cost - b.best.cost);
  return { ...(yield* explain(again)), signBits: explanation.signBits };
}

function* explain(decoded: readonly Decoded[]): Steps<Explanation> {
  const [winner, ...others] = decoded as [Decoded, ...Decoded[]];
  const { best, decoder } = winner;
  const { offsets, reports } = decoder;
  const openFrom = findOpen(best);
  const isUnexplained = findUnexplained(decoder, best);
  const baselines = toBaselines(best, openFrom, isUnexplained, reports, offsets);
  const bases = new Float64Array(reports.count);
  for (const { from, amountMinor } of baselines) bases.fill(amountMinor, from);
  return {
    reports,
    entries: winner.entries,
    reversal: winner.reversal,
    traits: offsets.traits,
    offsets,
    baselines,
    bases,
    unit: winner.unit,
    isSeenOnce: winner.isSeenOnce,
    openFrom,
    isUnexplained,
    rivals: yield* findRivals(winner, others),
    signBits: Infinity,
  };
}

interface Aligned {
  reports: Reports;
  index: FirstSeenIndex;
  aligned: AlignedSums;
  dated: DatedSums;
  /** That balances are rounded to. */
  unit: number;
}

function align(entries: readonly Entry[], reports: Reports, more: readonly Movement[] = []): Aligned {
  const movements = [...toMovements(entries, reports), ...more];
  const index = indexFirstSeen(movements, reports);
  return {
    reports,
    index,
    aligned: alignSums(index, reports),
    dated: new DatedSums(movements),
    unit: roundingUnit(reports, index.movements),
  };
}

/** What is as long is no rival. */
function limitOf(decoded: readonly Decoded[]): number {
  return Math.min(...decoded.map(({ best }) => best.cost)) + KNOWN_BITS;
}

/** Decodes each likely hypothesis, and adds it unless it costs too much to be a rival of the best one so far. */
function* decodeAll(
  decoded: Decoded[],
  { reports, index, aligned, dated, unit }: Aligned,
  entries: readonly Entry[],
  signs: readonly SignHypothesis[],
  reversal: Reversal | null,
  { bits: more, isSeenOnce = false }: { bits: number; isSeenOnce?: boolean } = reversal ?? { bits: 0 },
): Steps<Decoded[]> {
  for (const { traits, offsets: byRule } of likelyTraits(reports, aligned, dated, signs, unit)) {
    const bits = traits.bits + more;
    const offsets = new ExplainedOffsets(traits.reports, { ...traits, bits }, byRule, index, aligned);
    const decoder = new OffsetDecoder(traits.reports, offsets);
    const best = yield* decoder.decode(limitOf(decoded));
    if (best) decoded.push({ decoder, best, entries, reversal, unit, isSeenOnce });
  }
  return decoded;
}

/**
 * Adds the explanation that begins with the later offset, its first balances in an excursion. It is skipped where the
 * first offset was in force until the change.
 */
function* decodeFromLater(decoded: Decoded[], winner: Decoded): Steps<void> {
  const { decoder, best } = winner;
  const changed = firstChange(best);
  const isLeft = changed?.from && changed.from.current !== changed.from.base;
  // A 0 may be none where something is listed before it.
  const { reported, day } = decoder.reports;
  const mayBeNone = reported[0] === 0 && winner.entries.some((entry) => entry.day <= day[0]!);
  if (!changed || (!isLeft && !mayBeNone)) return;
  const other = new OffsetDecoder(decoder.reports, decoder.offsets, changed.base);
  const otherBest = yield* other.decode(best.cost + KNOWN_BITS);
  if (otherBest) decoded.push({ ...winner, decoder: other, best: otherBest });
}

/** The first state whose base is not that of the beginning. */
function firstChange(best: State): State | null {
  let changed: State | null = null;
  for (let state = best; state.from; state = state.from) if (state.base !== state.from.base) changed = state;
  return changed;
}

/** The day a balance is of: its own, but none before the balance before it. */
function dayOfBalance({ day, balanceDay }: Reports, index: number): DayNumber {
  const own = Math.max(balanceDay[index]!, day[index - 1] ?? Infinity);
  return own < day[index]! ? own : day[index]!;
}

/** The first observation of an excursion that the newest one is still in. */
function findOpen(best: State): number {
  let state: State | null = best;
  while (state && state.current !== state.base) state = state.from;
  return state ? state.index + 1 : 0;
}

/** In runs of so many unexplained ones that the balance does not follow; or of a figure that is believed (see README.md). */
function findUnexplained({ unexplained, reports, offsets }: OffsetDecoder, best: State): (index: number) => boolean {
  const marks = new Uint8Array(unexplained.length);
  const bases = basesOf(best);
  const isSame = (index: number) => offsets.plain(index) === offsets.plain(index - 1);
  const moves = [...marks.keys()].filter(
    (index) => index > 0 && reports.reported[index] !== reports.reported[index - 1],
  );
  const neverFollows = moves.length > 0 && !moves.some(isSame);
  for (let from = 0, end = 0; end < marks.length; end++) {
    const isAway = offsets.plain(end) !== bases[end];
    if (!isAway || reports.reported[end] !== reports.reported[end - 1]) from = isAway ? end : end + 1;
    if (end - from + 1 < NO_COINCIDENCE || reports.reported[end + 1] === reports.reported[end]) continue;
    const isMadeGood = bases[end + 1] === bases[end] && offsets.cost(end + 1, bases[end]!) >= 0;
    const isSettled = isSame(end) && isSame(end - 1) && offsets.cost(end, bases[end]!) < 0;
    const isDatedAnew = reports.balanceDay[end]! > reports.balanceDay[from]!;
    if (isSettled && !isMadeGood && (isDatedAnew || neverFollows)) marks.fill(1, from, end + 1);
  }
  for (let index = 0; index < marks.length; index++) {
    const length = unexplained[index]!;
    if (length >= MAX_UNEXPLAINED) marks.fill(1, index - length + 1, index + 1);
  }
  return (index) => marks[index] === 1;
}

/** The bases on the cheapest way; while an excursion is open at its end, every day keeps the balance reported. */
function toBaselines(
  best: State,
  openFrom: number,
  isUnexplained: (index: number) => boolean,
  reports: Reports,
  offsets: ExplainedOffsets,
): Baseline[] {
  const baselines: Baseline[] = [];
  const amountOf = ({ index, base, current }: State) => {
    if (isUnexplained(index)) return offsets.plain(index);
    return index < openFrom ? base : current;
  };
  for (let state: State | null = best; state; state = state.from) {
    const { from, first: index = state.index } = state;
    const amountMinor = amountOf(state);
    const changedMinor = from ? amountMinor - amountOf(from) : 0;
    if (from && changedMinor === 0) continue;
    const listed = from && offsets.unshown(index).get(changedMinor);
    if (!listed) {
      // Between two equal figures, what is listed moved nothing on its own day.
      const isRepeated = isUnexplained(index) && reports.reported[index] === reports.reported[index - 1];
      const balanceDay = dayOfBalance(reports, index);
      const day = isRepeated
        ? Math.max(reports.day[index - 1]!, Math.min(balanceDay, offsets.firstDayOfNew(index)))
        : balanceDay;
      const isTurned = from !== null && offsets.isTurned(index, changedMinor);
      baselines.unshift({ from: index, day, amountMinor, changedMinor, ...(isTurned && { unshown: 'sign' }) });
      continue;
    }
    // Each is an adjustment of its own day.
    let until = amountMinor;
    for (const { movement, day, minor, why } of listed.toReversed()) {
      baselines.unshift({ from: index, day, amountMinor: until, changedMinor: minor, unshown: why, movement });
      until -= minor;
    }
  }
  return baselines;
}
