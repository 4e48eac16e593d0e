import type { Reports } from '../reports.js';
import { REPORTS_A_STEP, type Steps } from '../steps.js';
import type { ExplainedOffsets } from './explained-offsets.js';
import { BITS, KNOWN_BITS } from './costs.js';

/** A state this much costlier than the best is not followed: to change to its base later costs less. */
const PRUNED_BITS = BITS.change + 1;

/** So many states are followed at once, and so many where the balance does not follow. */
const MAX_STATES = 400;
const MAX_STATES_UNEXPLAINED = 20;
/** Sums of logarithms are not exact. */
const ROUNDING_BITS = 1e-6;
/** After so many reports in a row that cost {@link KNOWN_BITS} or more the balance does not follow, and exceptions are not tried. */
export const MAX_UNEXPLAINED = 8;

/** What is believed at one observation, or at several in a row that take no search, and the cheapest way to it. */
export interface State {
  /** The observation, or the last of them; */
  index: number;
  /** and the first, if there may be several. */
  first?: number;
  /** The baseline offset in force, holder's view: the opening balance and everything that came unlisted. */
  base: number;
  /** The offset that explains this observation: another than `base` during an excursion. */
  current: number;
  /** Bits of the whole way, and of what explains this observation alone. */
  cost: number;
  ownBits: number;
  /** By how much `current` moved a day during the excursion; 0 outside of one. */
  slope: number;
  /** Whether the figure was repeated while the list moved on. */
  isFrozen?: boolean;
  from: State | null;
}

/**
 * Finds the cheapest sequence of states that explains all observations: a Viterbi search, in which the states at each
 * observation follow from those at the one before. New bases are only tried where the best state does not explain an
 * observation by the usual rule, since a change could not pay elsewhere.
 */
export class OffsetDecoder {
  /** The states followed at each observation, or the one at several in a row that take no search. */
  readonly frontiers: State[][] = [];
  /** How many observations before it in a row were not explained. */
  readonly unexplained: Int32Array;

  /** Bits of the cheapest sequence. */
  bestCost = 0;

  /** @param opening the first base, if the first balances are in an excursion from it; by default their own offset */
  constructor(
    readonly reports: Reports,
    readonly offsets: ExplainedOffsets,
    private readonly opening: number | null = null,
  ) {
    this.unexplained = new Int32Array(reports.count);
  }

  /**
   * @param limit bits; `null` as soon as no explanation is cheaper
   * @returns the last state of the cheapest sequence
   */
  *decode(limit = Infinity): Steps<State | null> {
    let best: State | null = null;
    for (let index = 0; index < this.reports.count; index = best.index + 1) {
      const before: number = best?.cost ?? 0;
      const followed: State | null = best && this.#follow(best, index);
      const states: State[] = followed ? [followed] : this.#search(best, index);
      this.frontiers.push(states);
      best = followed ?? cheapest(states);
      const isExplained = index === 0 || followed || best.cost - before < KNOWN_BITS;
      if (!isExplained) this.unexplained[index] = this.unexplained[index - 1]! + 1;
      this.bestCost = best.cost;
      if (best.cost >= limit) return null;
      yield;
    }
    return best;
  }

  /** What it costs to go from one state to another at the next observation, beside what that one costs by itself. */
  transitionBits(from: State, { index, base, current }: State): number {
    if (base !== from.base) return this.offsets.changeBits(index, base - from.base);
    const isAway = from.current !== base;
    if (!isAway) return current === base ? 0 : this.offsets.excursionBits(index);
    if (current === base) return 0;
    const days = this.#daysBefore(index);
    const bits = days * BITS.excursionDay;
    if (current === from.current) return bits;
    const isSteady = days > 0 && current - from.current === days * from.slope;
    return bits + (isSteady ? BITS.persistence : BITS.amount);
  }

  #daysBefore(index: number): number {
    return this.reports.day[index]! - this.reports.day[index - 1]!;
  }

  #begin(): State[] {
    const { offsets, opening } = this;
    if (opening !== null) {
      const current = offsets.plain(0);
      return [this.#begun(opening, current, BITS.notAsListed + offsets.excursionBits(0) + offsets.plainBits(0))];
    }
    const frontier = new Frontier();
    for (const [base, bits] of offsets.at(0)) {
      frontier.add(this.#begun(base, base, bits + (base === offsets.asListed(0) ? 0 : BITS.notAsListed)));
    }
    return frontier.states(MAX_STATES);
  }

  #begun(base: number, current: number, ownBits: number): State {
    const { offsets } = this;
    return {
      index: 0,
      base,
      current,
      cost: offsets.traits.bits + ownBits,
      ownBits,
      slope: 0,
      from: null,
    };
  }

  #search(best: State | null, index: number): State[] {
    if (!best) return this.#begin();
    const plain = this.offsets.plain(index);
    const plainBits = this.offsets.plainBits(index);
    const follows = this.unexplained[index - 1]! < MAX_UNEXPLAINED;
    const frontier = new Frontier();
    for (const from of this.frontiers.at(-1)!) {
      const stay = from.current === from.base ? [from.base] : [from.base, from.current];
      for (const offset of stay) {
        const bits = this.offsets.cost(index, offset, follows);
        const frozenBits = offset === from.current ? this.#frozenBits(from, index) : Infinity;
        const isFrozen = bits < 0 || frozenBits < bits;
        const ownBits = isFrozen ? frozenBits : bits;
        if (ownBits < Infinity) frontier.add(this.#next(from, from.base, offset, ownBits, index, isFrozen));
      }
      if (!stay.includes(plain)) frontier.add(this.#next(from, from.base, plain, plainBits, index));
      if (from !== best && from.base !== plain) this.#dropUnshown(frontier, from, index, follows);
    }
    if (frontier.best!.cost > best.cost + plainBits + ROUNDING_BITS) this.#change(frontier, best, index, follows);
    return frontier.states(follows ? MAX_STATES : MAX_STATES_UNEXPLAINED);
  }

  /** What it costs to believe that a repeated figure is frozen. A frozen figure is no evidence for any offset. */
  #frozenBits({ isFrozen }: State, index: number): number {
    const { reported, day, balanceDay } = this.reports;
    if (reported[index] !== reported[index - 1]) return Infinity;
    const isSameBalance = balanceDay[index] === balanceDay[index - 1] && balanceDay[index]! < day[index]!;
    if (isSameBalance) return 0;
    return isFrozen ? BITS.persistence : BITS.frozen;
  }

  /**
   * The next state where no other is worth a search: the only one before is in no excursion, and its base explains this
   * and maybe the next observations, too.
   */
  #follow(from: State, first: number): State | null {
    const { base, current } = from;
    if (this.frontiers.at(-1)!.length !== 1 || current !== base) return null;
    const end = Math.min(first + REPORTS_A_STEP, this.reports.count);
    let [index, cost] = [first, from.cost];
    for (; index < end && this.offsets.plain(index) === base; index++) cost += this.offsets.plainBits(index);
    if (index === first) return null;
    return { first, index: index - 1, base, current, cost, ownBits: cost - from.cost, slope: 0, isFrozen: false, from };
  }

  #next(from: State, base: number, current: number, ownBits: number, index: number, isFrozen = false): State {
    const state: State = { index, base, current, cost: 0, ownBits, slope: 0, isFrozen, from };
    state.cost = from.cost + this.transitionBits(from, state) + ownBits;
    state.slope = current === base ? 0 : this.#slope(from, current, index);
    return state;
  }

  #slope(from: State, current: number, index: number): number {
    const days = this.#daysBefore(index);
    return days === 0 && current === from.current ? from.slope : (current - from.current) / days;
  }

  #change(frontier: Frontier, from: State, index: number, follows: boolean): void {
    const limit = frontier.best!.cost + PRUNED_BITS - from.cost - BITS.duplicate;
    for (const [base, ownBits] of this.offsets.at(index, follows)) {
      if (base !== from.base && ownBits <= limit) frontier.add(this.#next(from, base, base, ownBits, index));
    }
  }

  /** Tries from every state what is not shown. Other changes cost the same from each, so only the best state tries them. */
  #dropUnshown(frontier: Frontier, from: State, index: number, follows: boolean): void {
    for (const amountMinor of this.offsets.unshown(index).keys()) {
      const base = from.base + amountMinor;
      const ownBits = this.offsets.cost(index, base, follows);
      if (ownBits >= 0) frontier.add(this.#next(from, base, base, ownBits, index));
    }
  }
}

/** The states at one observation, of equal ones the cheapest. */
class Frontier {
  best: State | null = null;
  readonly #states = new Map<number | string, State>();

  add(state: State): void {
    if (this.#isPruned(state)) return;
    const { base, current } = state;
    const key = base === current ? base : `${base} ${current}`;
    const same = this.#states.get(key);
    if (same && same.cost <= state.cost) return;
    this.#states.set(key, state);
    if (!this.best || state.cost < this.best.cost) this.best = state;
  }

  states(max: number): State[] {
    const states = [...this.#states.values()].filter((state) => !this.#isPruned(state));
    return states.length <= max ? states : states.sort((a, b) => a.cost - b.cost).slice(0, max);
  }

  #isPruned({ cost }: State): boolean {
    return this.best !== null && cost > this.best.cost + PRUNED_BITS;
  }
}

function cheapest(states: readonly State[]): State {
  return states.reduce((best, state) => (state.cost < best.cost ? state : best));
}
