import type { DayNumber } from '../ledger.js';
import type { Steps } from '../steps.js';
import type { OffsetDecoder, State } from './decoder.js';
import { BITS } from './prices.js';

/** The best explanation that gives an observation another offset than the winner does. */
export interface Rival {
  base: number;
  /** How much longer its description is. */
  bits: number;
  /** The day on which it differs first, if that is before the observation's: that of a transaction that is listed twice. */
  since: DayNumber | undefined;
}

/**
 * For each observation the nearest rival, `null` where none was worth following. The cost of the best way through a state is
 * that of the best way to it, which the decoder knows, and of the best way on from it, which follows backwards.
 *
 * @param best the last state of the explanation with the shortest description, which the winner found
 * @param others what other traits explain
 */
export function* findRivals(
  winner: OffsetDecoder,
  best: State,
  others: readonly OffsetDecoder[],
): Steps<(Rival | null)[]> {
  const { count } = winner.reports;
  const rivals: (Rival | null)[] = Array.from({ length: count }, () => null);
  const bases = new Float64Array(count);
  for (let state: State | null = best; state; state = state.from) bases[state.index] = state.base;
  for (const decoder of [winner, ...others]) {
    let onwards = new Map<State, number>();
    for (let index = count - 1; index >= 0; index--) {
      yield;
      const states = decoder.states[index]!;
      const [only] = states;
      // Every way leads through a single state: mostly there is nothing to find out.
      if (states.length === 1 && only!.base === bases[index] && decoder.states[index - 1]?.length === 1) continue;
      if (states.length === 1) onwards = new Map([[only!, decoder.bestCost - only!.cost]]);
      else onwards = costsOnwards(decoder, states, decoder.states[index + 1] ?? [], onwards);
      for (const state of states) {
        if (state.base === bases[index]) continue;
        const bits = state.cost + onwards.get(state)! - best.cost;
        if (bits < (rivals[index]?.bits ?? Infinity))
          rivals[index] = { base: state.base, bits, since: twinDay(decoder, index, state.base - bases[index]!) };
      }
    }
  }
  return rivals;
}

function twinDay({ offsets }: OffsetDecoder, index: number, differenceMinor: number): DayNumber | undefined {
  return offsets.twins(index).get(differenceMinor) ?? offsets.twins(index).get(-differenceMinor);
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
    if (state.current === state.base) change = Math.min(change, BITS.change + state.ownBits + after.get(state)!);
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
