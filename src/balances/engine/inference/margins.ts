import type { DayNumber, Entry } from '../ledger.js';
import type { Steps } from '../steps.js';
import { DatedSums } from './dated-sums.js';
import type { OffsetDecoder, State } from './decoder.js';

/** The best explanation that gives the day of an observation another balance than the winner does. */
export interface Rival {
  /** By how much. */
  differenceMinor: number;
  /** How much longer its description is. */
  bits: number;
  /** The day on which it differs first, if that is before the observation's: that of a transaction that is listed twice or corrected. */
  since: DayNumber | undefined;
}

/** A way to explain the reports of an account. */
export interface Explained {
  decoder: OffsetDecoder;
  /** The last state of the shortest description. */
  best: State;
  /** What is listed, in its plain sign. */
  entries: readonly Entry[];
}

/**
 * For each observation the nearest rival, `null` where none was worth following. The cost of the best way through a state is
 * that of the best way to it, which the decoder knows, and of the best way on from it, which follows backwards.
 *
 * @param others what other traits explain
 */
export function* findRivals(winner: Explained, others: readonly Explained[]): Steps<(Rival | null)[]> {
  const { count } = winner.decoder.reports;
  const rivals: (Rival | null)[] = new Array<null>(count).fill(null);
  const bases = basesOf(winner.best);
  for (const { decoder, entries } of [winner, ...others]) {
    const more = entries === winner.entries ? null : listedMore(entries, winner);
    let onwards = new Map<State, number>();
    let next: readonly State[] = [];
    for (const states of decoder.frontiers.toReversed()) {
      yield;
      // Every way leads through a single state.
      if (states.length === 1) onwards = new Map([[states[0]!, decoder.bestCost - states[0]!.cost]]);
      else onwards = costsOnwards(decoder, states, next, onwards);
      next = states;
      // A state that all ways of the winner's search lead through is the winner's.
      if (states.length === 1 && decoder === winner.decoder) continue;
      for (const state of states) {
        const bits = state.cost + onwards.get(state)! - winner.best.cost;
        for (let index = state.first ?? state.index; index <= state.index; index++) {
          // With the base that the winner gives it, the day has the same balance.
          const differenceMinor = state.base - (bases[index]! - (more?.[index] ?? 0));
          if (differenceMinor === 0 || bits >= (rivals[index]?.bits ?? Infinity)) continue;
          rivals[index] = { differenceMinor, bits, since: unshownSince(decoder, index, differenceMinor) };
        }
      }
    }
  }
  return rivals;
}

/** By observation, the base on the way to a last state. */
export function basesOf(last: State): Float64Array {
  const bases = new Float64Array(last.index + 1);
  for (let state: State | null = last; state; state = state.from) {
    bases.fill(state.base, state.first ?? state.index, state.index + 1);
  }
  return bases;
}

/** By how much more, up to the day of each observation, other entries make than those of the winner. */
function listedMore(entries: readonly Entry[], { decoder, entries: usual }: Explained): Float64Array {
  const sums = [entries, usual].map((all) => new DatedSums(all.filter(({ listedUntil }) => listedUntil === null)));
  return decoder.reports.day.map((day) => sums[0]!.upTo(day) - sums[1]!.upTo(day));
}

function unshownSince({ offsets }: OffsetDecoder, index: number, differenceMinor: number): DayNumber | undefined {
  const unshown = offsets.unshown(index);
  const [first] = unshown.get(differenceMinor) ?? unshown.get(-differenceMinor) ?? [];
  return first?.day;
}

function costsOnwards(
  decoder: OffsetDecoder,
  states: readonly State[],
  next: readonly State[],
  after: ReadonlyMap<State, number>,
): Map<State, number> {
  const byBase = new Map<number, State[]>();
  const direct = new Map<State, number>();
  let change = next.length === 0 ? 0 : Infinity;
  for (const state of next) {
    const same = byBase.get(state.base);
    if (same) same.push(state);
    else byBase.set(state.base, [state]);
    const { from } = state;
    if (from) direct.set(from, Math.min(direct.get(from) ?? Infinity, state.cost - from.cost + after.get(state)!));
    if (state.current === state.base)
      change = Math.min(change, decoder.offsets.unlistedChangeBits(state.index) + state.ownBits + after.get(state)!);
  }
  return new Map(
    states.map((state) => {
      let bits = Math.min(change, direct.get(state) ?? Infinity);
      for (const to of byBase.get(state.base) ?? []) {
        bits = Math.min(bits, decoder.transitionBits(state, to) + to.ownBits + after.get(to)!);
      }
      return [state, bits];
    }),
  );
}
