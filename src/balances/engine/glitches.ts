import { ESTIMATED } from './certainty.js';
import { DatedSums } from './inference/dated-sums.js';
import { type Entry, type Position, SETTLING_DAYS } from './ledger.js';
import { isNear, type Portfolio } from './positions.js';
import type { Reports } from './reports.js';
import { type Frame, mark } from './rows.js';

/** Reports that may be errors, and those ignored because the earlier figure returned within ten days. */
interface Glitches {
  doubtful: ReadonlySet<number>;
  passedOver: ReadonlySet<number>;
}

/**
 * Finds reported values of 0, or in the opposite sign, that no entry explains. Those that last more than ten days are
 * kept as reported.
 */
export function findGlitches({ day, count }: Reports, figures: Float64Array, entries: readonly Entry[]): Glitches {
  const found = { doubtful: new Set<number>(), passedOver: new Set<number>() };
  const booked = new DatedSums(entries.filter(({ listedUntil }) => listedUntil === null));
  let good = 0;
  for (let index = 1; index < count; index++) {
    const [figure, before] = [figures[index]!, figures[good]!];
    const explained = before + booked.upTo(day[index]!) - booked.upTo(day[good]!);
    if (isOdd(figure, before) && !isNear(figure, explained)) continue;
    if (isNear(figure, before) || isNear(figure, explained)) addRun(found, good + 1, index, day);
    good = index;
  }
  // The newest report is never ignored, but it may still prove to be a glitch.
  if (good + 1 < count && day[count - 1]! - day[good + 1]! <= SETTLING_DAYS) {
    for (let index = good + 1; index < count; index++) found.doubtful.add(index);
  }
  return found;
}

function isOdd(figure: number, before: number): boolean {
  return before !== 0 && (figure === 0 || isNear(-figure, before));
}

/** The old figure is back. */
function addRun(
  { doubtful, passedOver }: { doubtful: Set<number>; passedOver: Set<number> },
  from: number,
  until: number,
  day: Float64Array,
): void {
  for (let index = from; index < until; index++) {
    doubtful.add(index);
    if (day[until]! - day[from]! <= SETTLING_DAYS) passedOver.add(index);
  }
}

/**
 * Values positions that are held but reported as worth 0 at their last known price, if a price returns within ten days.
 * Such reports are doubtful, and so are recent ones whose price has not returned yet.
 *
 * @param snapshots changed in place
 */
export function fillPrices(snapshots: (Portfolio | null)[], day: Float64Array): Set<number> {
  const doubtful = new Set<number>();
  const newest = day[day.length - 1]!;
  const prices = new Map<string, number>();
  const missing = new Map<string, number[]>();
  // Each is copied once, however many prices it lacks.
  const filled = new Map<number, Map<string, Position>>();
  snapshots.forEach((snapshot, index) => {
    for (const { key, quantity, valueMinor } of snapshot?.values() ?? []) {
      if (quantity === 0) continue;
      const price = prices.get(key);
      if (valueMinor === 0 && price !== undefined) {
        const run = missing.get(key);
        if (run) run.push(index);
        else missing.set(key, [index]);
        continue;
      }
      const run = missing.get(key);
      missing.delete(key);
      if (run && day[index]! - day[run[0]!]! <= SETTLING_DAYS) {
        for (const at of run) {
          const copy = filled.get(at) ?? new Map(snapshots[at]);
          const position = copy.get(key)!;
          filled.set(at, copy.set(key, { ...position, valueMinor: Math.round(price! * position.quantity) }));
          doubtful.add(at);
        }
      }
      if (valueMinor !== 0) prices.set(key, valueMinor / quantity);
    }
  });
  for (const [at, snapshot] of filled) snapshots[at] = snapshot;
  for (const run of missing.values()) {
    if (newest - day[run[0]!]! <= SETTLING_DAYS) for (const at of run) doubtful.add(at);
  }
  return doubtful;
}

/** Marks the days whose last report may be a glitch as estimated. */
export function markGlitches(frame: Frame, { day }: Reports, doubtful: ReadonlySet<number>): void {
  for (const index of doubtful) {
    if (day[index + 1] !== day[index]) mark(frame, day[index]! - frame.firstDay, ESTIMATED);
  }
}
