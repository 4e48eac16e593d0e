import type { DayNumber } from '../ledger.js';
import { firstAtOrAfter, type Reports } from '../reports.js';
import { type AlignedSums, RULE_COUNT } from './alignment-rules.js';
import { BITS } from './costs.js';
import { findNearCut, makeExceptions, MAX_NEAR_CUT } from './exceptions.js';
import { type FirstSeenIndex, isBackfilled, type Movement } from './first-seen.js';
import type { Traits } from './traits.js';

/** The weight of the prior for duplicates: as if so many had been seen before. */
const DUPLICATES_SEEN = 0.1;
/** The rules to which exceptions are made beside the usual one: those by which the balance is not behind the list. */
const RULES_WITH_EXCEPTIONS = [0, 1, 2] as const;

/** By the change of the offset that they cause. */
type Unshown = ReadonlyMap<number, readonly Undone[]>;

/** A movement that is listed and that the balance does not show, or that it shows only when it is listed. */
interface Undone {
  movement: Movement;
  /** The day of the adjustment; `-Infinity`: the opening balance is another one. */
  day: DayNumber;
  /** By how much the offset changes. */
  minor: number;
  why: 'duplicate' | 'correction' | 'late';
}

const NONE: Unshown = new Map();

/** Which offsets explain each reported balance, and what it costs to believe so. */
export class ExplainedOffsets {
  /** The rule that is believed most readily. */
  readonly usual: number;
  readonly #bits = new Float64Array(2 ** RULE_COUNT).fill(NaN);
  readonly #known: Map<number, number>[] = [];
  readonly #duplicates: Unshown[] = [];
  readonly #unshown: Unshown[] = [];
  #duplicateBits: number | null = null;
  #byDay: Int32Array | null = null;
  #days: Float64Array | null = null;

  /** @param offsets by observation and rule, what the rule leaves unexplained */
  constructor(
    private readonly reports: Reports,
    readonly traits: Traits,
    private readonly offsets: Float64Array,
    private readonly index: FirstSeenIndex,
    private readonly aligned: AlignedSums,
  ) {
    const { ruleWeights } = traits;
    this.usual = ruleWeights.indexOf(Math.max(...ruleWeights));
  }

  /**
   * What it costs to explain an observation by an offset; -1 when nothing explains it.
   *
   * @param tryExceptions whether to look for exceptions, too, which is most of the work
   */
  cost(index: number, offset: number, tryExceptions = true): number {
    if (this.plain(index) === offset) return this.plainBits(index);
    return this.at(index, tryExceptions).get(offset) ?? -1;
  }

  /** The offset by the usual rule. */
  plain(index: number): number {
    return this.offsets[index * RULE_COUNT + this.usual]!;
  }

  plainBits(index: number): number {
    return this.#ruleBits(index, this.plain(index));
  }

  /** By how many bits the rules explain an observation by an offset: all that do so count together. */
  #ruleBits(index: number, offset: number): number {
    let rules = 0;
    for (let rule = 0; rule < RULE_COUNT; rule++) {
      if (this.offsets[index * RULE_COUNT + rule] === offset) rules |= 1 << rule;
    }
    const known = this.#bits[rules]!;
    return Number.isNaN(known) ? (this.#bits[rules] = this.#bitsOf(rules)) : known;
  }

  #bitsOf(rules: number): number {
    const weight = this.traits.ruleWeights.reduce((sum, one, rule) => (rules & (1 << rule) ? sum + one : sum), 0);
    return Math.max(0, -Math.log2(weight));
  }

  /** The offset where balance and list are taken as they stand. */
  asListed(index: number): number {
    return this.offsets[index * RULE_COUNT]!;
  }

  /** All offsets that explain an observation, with their costs. */
  at(index: number, tryExceptions = true): ReadonlyMap<number, number> {
    if (tryExceptions) return (this.#known[index] ??= this.#explain(index));
    return this.#byRules(index);
  }

  #byRules(index: number): Map<number, number> {
    const known = new Map<number, number>();
    for (let at = index * RULE_COUNT; at < (index + 1) * RULE_COUNT; at++) {
      const offset = this.offsets[at]!;
      if (!known.has(offset)) known.set(offset, this.#ruleBits(index, offset));
    }
    return known;
  }

  #explain(index: number): Map<number, number> {
    const { listOf, statementDay } = this.traits;
    const known = this.#byRules(index);
    const list = listOf[index]!;
    const nearCut = findNearCut(list, this.reports, this.index, this.aligned);
    const sign = this.traits.pendingIncluded ? 1 : -1;
    const pending = this.reports.pendingAmounts[list]!.map((amount) => amount * sign);
    for (const rule of new Set([this.usual, ...RULES_WITH_EXCEPTIONS])) {
      const posted = nearCut.map((place) => {
        const { amountMinor, day } = this.index.movements[place]!;
        const isIn = Number.isNaN(statementDay[index]!)
          ? this.aligned.startsOf(place)[rule]! <= list
          : day <= statementDay[index]!;
        return isIn ? amountMinor : -amountMinor;
      });
      const offset = this.offsets[index * RULE_COUNT + rule]!;
      makeExceptions(known, offset, known.get(offset)!, [...pending, ...posted]);
    }
    return known;
  }

  /** What it costs that a balance is away from the offset for a while: less for a 0, which may be none. */
  excursionBits(index: number): number {
    return this.reports.reported[index] === 0 ? BITS.zero : BITS.excursion;
  }

  /** What it costs that the offset changes for good. */
  changeBits(index: number, amountMinor: number): number {
    const bits = this.unlistedChangeBits(index);
    if (this.duplicates(index).has(amountMinor)) return Math.min(bits, this.duplicateBits);
    const undone = this.unshown(index).get(amountMinor);
    const isLate = undone?.every(({ why }) => why === 'late');
    return undone ? Math.min(bits, isLate ? BITS.late : BITS.unfollowed) : bits;
  }

  /** The same for an unlisted change: the longer ago the report before, the cheaper. */
  unlistedChangeBits(index: number): number {
    const { day } = this.reports;
    return BITS.change - Math.log2(Math.max(1, day[index]! - day[index - 1]!));
  }

  /** What it costs to believe that of two equal transactions the balance has one. */
  get duplicateBits(): number {
    return (this.#duplicateBits ??= this.#learnDuplicates());
  }

  /**
   * Of the reports that first saw equal transactions: did the balance lack one of them?
   */
  #learnDuplicates(): number {
    let all = DUPLICATES_SEEN * 2 ** BITS.duplicate;
    let lacking = DUPLICATES_SEEN;
    for (let index = 1; index < this.reports.count; index++) {
      const duplicates = this.duplicates(index);
      const moved = this.plain(index) - this.plain(index - 1);
      if (duplicates.size === 0 || (moved !== 0 && !duplicates.has(moved))) continue;
      all++;
      if (moved !== 0) lacking++;
    }
    return Math.log2(all / lacking);
  }

  /** The first day of what is new to an observation; of a correction, that of the corrected transaction. */
  firstDayOfNew(index: number): DayNumber {
    let first = Infinity;
    for (const place of this.#newAt(index)) first = Math.min(first, rowDay(this.index.movements[place]!));
    return first;
  }

  /** The movements first listed with an observation; or, of a statement, those dated since the one before. */
  #newAt(index: number): Iterable<number> {
    const { movements, firstSeenAt } = this.index;
    const { statementDay } = this.traits;
    const until = statementDay[index]!;
    if (index === 0 || Number.isNaN(until)) return firstSeenAt(index);
    const before = statementDay[index - 1]!;
    const since = Number.isNaN(before) ? this.reports.day[index - 1]! : before;
    this.#byDay ??= Int32Array.from(movements.keys()).sort((a, b) => movements[a]!.day - movements[b]!.day);
    this.#days ??= Float64Array.from(this.#byDay, (place) => movements[place]!.day);
    return this.#byDay.subarray(firstAtOrAfter(this.#days, since + 1), firstAtOrAfter(this.#days, until + 1));
  }

  /**
   * The movements new to an observation that its balance may not show: duplicates, corrections and what is listed long after
   * its day; and such that it may show only now.
   */
  unshown(index: number): Unshown {
    return (this.#unshown[index] ??= this.#findUnshown(index));
  }

  /** Whether a change of the offset is twice a new transaction, which is then listed in the opposite sign. */
  isTurned(index: number, changedMinor: number): boolean {
    const isIts = (one: Movement) => one.correctsDay === undefined && one.amountMinor * -2 === changedMinor;
    return [...this.#newAt(index)].some((place) => isIts(this.index.movements[place]!));
  }

  #findUnshown(index: number): Unshown {
    const { movements, firstSeenAt, lateAt } = this.index;
    const { at, day: days } = this.reports;
    const hidden: Undone[] = [];
    for (const place of firstSeenAt(index)) {
      const movement = movements[place]!;
      if (movement.listedFrom > at[index]!) hidden.push(undo(movement, 'late'));
      else if (movement.correctsDay !== undefined || isBackfilled(index, movement.day, this.reports)) {
        hidden.push(undo(movement, 'correction'));
      }
    }
    hidden.sort((a, b) => a.day - b.day);
    // That the first balance lacked it is part of the opening balance.
    const shown = lateAt(index).map((movement): Undone => {
      const { day, amountMinor: minor } = movement;
      return { movement, day: day < days[0]! ? -Infinity : day, minor, why: 'late' };
    });
    const duplicates = this.duplicates(index);
    if (hidden.length + shown.length === 0) return duplicates;
    const unshown = new Map<number, readonly Undone[]>();
    const add = (all: readonly Undone[]) => {
      const minor = total(all);
      if (minor !== 0 && !unshown.has(minor)) unshown.set(minor, all);
    };
    const listedNow = shown.filter(({ movement }) => firstAtOrAfter(at, movement.listedFrom) === index);
    for (const more of someOf(shown)) for (const some of [[], hidden]) add([...some, ...more]);
    for (const some of someOf(hidden)) for (const more of [[], listedNow]) add([...some, ...more]);
    for (const same of duplicates.values()) add(same);
    return unshown;
  }

  /** The movements new to an observation that others equal, each alone, and all together that are listed again. */
  duplicates(index: number): Unshown {
    return (this.#duplicates[index] ??= this.#findDuplicates(this.#newAt(index)));
  }

  #findDuplicates(places: Iterable<number>): Unshown {
    const { movements, hasEqual } = this.index;
    const equal = Array.from(places).filter((place) => hasEqual(place));
    if (equal.length === 0) return NONE;
    const duplicates = new Map<number, readonly Undone[]>();
    for (const movement of equal.map((place) => movements[place]!)) {
      const same = duplicates.get(-movement.amountMinor)?.[0];
      if (!same || movement.day < same.day) duplicates.set(-movement.amountMinor, [undo(movement, 'duplicate')]);
    }
    const again = this.#listedAgain(equal).map((movement) => undo(movement, 'duplicate'));
    if (total(again) !== 0 && !duplicates.has(total(again))) duplicates.set(total(again), again);
    return duplicates;
  }

  /** Those that list a transaction of the same day once more, in the order of their days. */
  #listedAgain(places: readonly number[]): Movement[] {
    const { movements, equalsOf } = this.index;
    const alike = Map.groupBy(places, (place) => `${movements[place]!.day} ${movements[place]!.amountMinor}`);
    const again = [...alike.values()].flatMap((same) => {
      const { listedFrom } = movements[same[0]!]!;
      return same.slice(0, equalsOf(same[0]!).filter((other) => other.listedFrom < listedFrom).length);
    });
    return again.map((place) => movements[place]!).sort((a, b) => a.day - b.day);
  }
}

/** The day of the transaction that a movement lists or corrects. */
export function rowDay({ day, correctsDay = day }: Movement): DayNumber {
  return correctsDay;
}

function undo(movement: Movement, why: Undone['why']): Undone {
  return { movement, day: rowDay(movement), minor: -movement.amountMinor, why };
}

/** None, each alone, unless there are too many, and all. */
function someOf(all: readonly Undone[]): readonly (readonly Undone[])[] {
  return [[], ...(all.length > MAX_NEAR_CUT[0] ? [] : all.map((one) => [one])), all];
}

function total(undone: readonly Undone[]): number {
  return undone.reduce((sum, { minor }) => sum + minor, 0);
}
