import type { ReportedSign } from '../account-type.js';
import { MONTH_DAYS } from '../ledger.js';
import { firstAtOrAfter, type Reports } from '../reports.js';
import { type AlignedSums, RULE_COUNT } from './alignment-rules.js';
import type { DatedSums } from './dated-sums.js';
import { BEHIND_DAYS } from './first-seen.js';
import { BITS } from './costs.js';
import { snapOffsets } from './rounding.js';

/** Traits of an account's feed: hypotheses, of which the cheapest explanation decides. */
export interface Traits {
  /** The reports, their balances in the holder's view. */
  reports: Reports;
  /** Whether debts are positive numbers although the type leaves that open. */
  isDebtPositive: boolean;
  /** Whether a reported balance includes the pending transactions listed beside it. */
  pendingIncluded: boolean;
  /** For each balance the observation whose list it is compared with. */
  listOf: Int32Array;
  /** For each balance the day up to whose end it has what the list dates; NaN where it is compared with a list. */
  statementDay: Float64Array;
  /** What the traits themselves cost to believe. */
  bits: number;
  /** How likely each alignment rule is: the oftener it explained a movement, the more. They add up to 1. */
  ruleWeights: readonly number[];
}

/** How many reports each statement must last. The first may be a month old. */
const MIN_STATEMENT_REPORTS = 10;

/** A bit for each alignment rule. */
const ALL_RULES = 2 ** RULE_COUNT - 1;

export type SignHypothesis = Pick<Traits, 'reports' | 'isDebtPositive' | 'bits'>;
type Hypothesis = SignHypothesis & Pick<Traits, 'pendingIncluded' | 'listOf' | 'statementDay'>;

/**
 * The traits worth trying, those under which most movements of the balance are explained first.
 *
 * @param unit that balances are rounded to; 0 if they are exact
 */
export function likelyTraits(
  reports: Reports,
  { sums }: AlignedSums,
  dated: DatedSums,
  signs: readonly SignHypothesis[],
  unit: number,
): { traits: Traits; offsets: Float64Array }[] {
  const inclusions = reports.pendingTotal.some((amount) => amount !== 0) ? [false, true] : [false];
  const traits = signs
    .flatMap((sign) => {
      const lists = possibleLists(sign.reports, dated);
      return inclusions.flatMap((pendingIncluded) => {
        const bits = sign.bits + (pendingIncluded ? BITS.pendingIncluded : 0);
        return lists.map((list) => ({ ...sign, pendingIncluded, ...list, bits: bits + list.bits }));
      });
    })
    .map((hypothesis) => ({ hypothesis, offsets: offsetsUnder(hypothesis, sums, dated, unit) }))
    .map((one) => ({ ...one, votes: countExplained(one.offsets, reports.count) }))
    .sort((a, b) => b.votes.total - a.votes.total);
  return traits.map(({ hypothesis, offsets, votes }) => ({
    traits: { ...hypothesis, ruleWeights: toWeights(votes.byRule) },
    offsets,
  }));
}

/** In which sign balances may be reported. */
export function signHypotheses(reports: Reports, sign: ReportedSign): [SignHypothesis, ...SignHypothesis[]] {
  const { reported } = reports;
  const asReported: SignHypothesis = { reports, isDebtPositive: false, bits: 0 };
  const hasPositive = reported.some((amount) => amount > 0);
  if (sign === 'holder' || !hasPositive) return [asReported];
  const turned = { ...reports, reported: reported.map((amount) => 0 - amount) };
  if (sign === 'learned')
    return [asReported, { reports: turned, isDebtPositive: true, bits: bitsOfPositiveDebt(reports) }];
  const owed = { ...asReported, reports: { ...reports, reported: reported.map((amount) => 0 - Math.abs(amount)) } };
  if (reported.every((amount) => amount >= 0)) return [owed];
  // Of numbers on both sides of zero those on the side of the first are owed, and the others paid too much.
  return [owed, reported.find((amount) => amount !== 0)! < 0 ? asReported : { ...asReported, reports: turned }];
}

/** What it costs to believe that debts are reported as positive: nothing, unless the account were mostly in credit. */
function bitsOfPositiveDebt({ reported }: Reports): number {
  const positive = reported.filter((amount) => amount > 0).length;
  const negative = reported.filter((amount) => amount < 0).length;
  return positive < negative ? BITS.inCredit : 0;
}

/**
 * A balance is compared with the list beside it; or, where it is of an earlier day, with the first list after that day. One
 * that is older than a lagging one is a statement's: it has what the list dates up to its day.
 */
function possibleLists(reports: Reports, dated: DatedSums): Pick<Traits, 'listOf' | 'statementDay' | 'bits'>[] {
  const { count, day, balanceDay } = reports;
  const bySync = new Int32Array(count);
  const byOwnDay = new Int32Array(count);
  const statementDay = new Float64Array(count).fill(NaN);
  const none = statementDay.slice();
  let areSame = true;
  let hasStatements = false;
  for (let index = 0; index < count; index++) {
    bySync[index] = index;
    byOwnDay[index] = balanceDay[index]! < day[index]! ? firstAtOrAfter(day, balanceDay[index]! + 1) : index;
    if (byOwnDay[index] !== index) areSame = false;
    if (balanceDay[index]! < day[index]!) statementDay[index] = balanceDay[index]!;
    if (day[index]! - balanceDay[index]! > BEHIND_DAYS) hasStatements = true;
  }
  const lists = [
    { listOf: byOwnDay, statementDay: none, bits: 0 },
    { listOf: bySync, statementDay: none, bits: 0 },
  ];
  if (hasStatements) return [{ listOf: byOwnDay, statementDay, bits: 0 }, ...lists];
  const undated = undatedStatements(reports, dated);
  if (undated) lists.push({ listOf: bySync, ...undated });
  return areSame ? lists.slice(1) : lists;
}

/**
 * Where figures stay for weeks, each may be of the end of a day shortly before it was first reported. The days are such
 * that as many figures as possible have the same offset. The first one's day is unknown until it agrees with another.
 */
function undatedStatements(
  { count, reported, day }: Reports,
  dated: DatedSums,
): { statementDay: Float64Array<ArrayBuffer>; bits: number } | null {
  const starts = [0];
  for (let index = 1; index < count; index++) {
    if (reported[index] === reported[index - 1]) continue;
    if (starts.length > 1 && index - starts.at(-1)! < MIN_STATEMENT_REPORTS) return null;
    starts.push(index);
  }
  if (starts.length === 1) return null;
  // Where no sync was made for a day or two, it may be of any of them. Of more days one would fit by chance.
  const choices = starts.map((from) =>
    from === 0 ? MONTH_DAYS : Math.min(BEHIND_DAYS, Math.max(1, day[from]! - day[from - 1]!)),
  );
  const offsets = starts.map((from, place) =>
    Array.from({ length: choices[place]! }, (_, ago) => reported[from]! - dated.upTo(day[from]! - 1 - ago)),
  );
  const statementDay = new Float64Array(count).fill(NaN);
  let bits: number = BITS.statement;
  for (let begun = 0, end = 0; begun < starts.length; begun = end) {
    let agreed = offsets[begun]!;
    for (end = begun + 1; end < starts.length; end++) {
      const both = agreed.filter((offset) => offsets[end]!.includes(offset));
      if (both.length === 0) break;
      agreed = both;
    }
    for (let place = end === 1 ? 1 : begun; place < end; place++) {
      const from = starts[place]!;
      statementDay.fill(day[from]! - 1 - offsets[place]!.indexOf(agreed[0]!), from, starts[place + 1]);
      // Of so many days one may fit by chance.
      bits += Math.log2(choices[place]!);
    }
  }
  return { statementDay, bits };
}

interface Votes {
  total: number;
  /** Where the rules differ: how often each of them was right. */
  byRule: number[];
}

/** A rule explains a movement of the balance if it leaves as much unexplained after it as before. */
function countExplained(offsets: Float64Array, count: number): Votes {
  // How often exactly these rules were right, a bit each.
  const times = new Int32Array(ALL_RULES + 1);
  for (let at = RULE_COUNT; at < count * RULE_COUNT; at += RULE_COUNT) {
    let right = 0;
    for (let rule = 0; rule < RULE_COUNT; rule++) {
      if (offsets[at + rule] === offsets[at + rule - RULE_COUNT]) right |= 1 << rule;
    }
    times[right]!++;
  }
  const byRule = new Array<number>(RULE_COUNT).fill(0);
  for (let right = 1; right < ALL_RULES; right++) {
    if (times[right] === 0) continue;
    for (let rule = 0; rule < RULE_COUNT; rule++) if (right & (1 << rule)) byRule[rule]! += times[right]!;
  }
  return { total: count - 1 - times[0]!, byRule };
}

/** How often the first rule is taken to have been right before; each rule down the list half as often as the one above it. */
const PRIOR_TIMES = 4;

function toWeights(votes: readonly number[]): number[] {
  const weights = votes.map((count, rule) => count + PRIOR_TIMES / 2 ** rule);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}

/**
 * By observation and rule, what the movements leave unexplained of each reported balance, in the holder's view.
 *
 * @param unit that balances are rounded to; 0 if they are exact
 */
export function offsetsUnder(
  { reports: { count, reported, pendingTotal }, pendingIncluded, listOf, statementDay }: Hypothesis,
  sums: Float64Array,
  dated: DatedSums,
  unit: number,
): Float64Array {
  const offsets = new Float64Array(count * RULE_COUNT);
  for (let index = 0; index < count; index++) {
    const list = listOf[index]!;
    const owned = reported[index]! - (pendingIncluded ? pendingTotal[list]! : 0);
    const at = index * RULE_COUNT;
    if (!Number.isNaN(statementDay[index]!)) {
      offsets.fill(owned - dated.upTo(statementDay[index]!), at, at + RULE_COUNT);
    } else for (let rule = 0; rule < RULE_COUNT; rule++) offsets[at + rule] = owned - sums[list * RULE_COUNT + rule]!;
  }
  return unit > 0 ? snapOffsets(offsets, unit) : offsets;
}
