import type { DayNumber } from '../ledger.js';
import type { Reports } from '../reports.js';
import { BEHIND_DAYS, type FirstSeenIndex, isBackfilled } from './first-seen.js';

/** A transaction dated further ahead than a time zone can explain is booked in advance. */
const AHEAD_DAYS = 1;

/** Where a movement stands among the observations, each an index; the number of observations where there is none. */
interface Standing {
  /** The first that knew it. */
  seen: number;
  /** The same, but of an entry booked in advance the first on its day or later. */
  due: number;
  /** The first on its day or later, and a day after it. */
  dated: number;
  dayAfter: number;
  /** Whether it was new when it was first seen. */
  isRecent: boolean;
}

/** So many alignment rules there are, the plainest first. */
export const RULE_COUNT = 6;

/**
 * A balance and the list beside it are rarely of the same moment. An alignment rule is one way in which the two may belong
 * together: it cuts the list by saying from which observation on a movement is part of the balance.
 */
function cutByRules(starts: Int32Array, { seen, due, dated, dayAfter, isRecent }: Standing): void {
  // Balance and list agree.
  starts[0] = due;
  // The list is behind the balance: it catches up a day or more later.
  starts[1] = Math.min(seen, dayAfter);
  starts[2] = Math.min(seen, dated);
  // The balance is behind the list.
  starts[3] = isRecent ? seen + 1 : seen;
  // The balance is of the end of some day, whenever its transactions were listed.
  starts[4] = dated;
  starts[5] = dayAfter;
}

export interface AlignedSums {
  /** The sum of all movements that should be part of each observation's balance: `[observation * RULE_COUNT + rule]`. */
  sums: Float64Array;
  /** Of a movement the first observation whose balance has it, by rule. The next call writes over it. */
  startsOf: (place: number) => Int32Array;
}

export function alignSums({ movements, settledMinor, seen }: FirstSeenIndex, reports: Reports): AlignedSums {
  const { count, day } = reports;
  const firstOn = firstObservationByDay(reports);
  const starts = new Int32Array(RULE_COUNT);
  const startsOf = (place: number) => {
    const movementDay = movements[place]!.day;
    const seenAt = seen[place]!;
    if (isBackfilled(seenAt, movementDay, reports)) return starts.fill(seenAt);
    const dated = firstOn(movementDay);
    cutByRules(starts, {
      seen: seenAt,
      due: seenAt < count && movementDay - day[seenAt]! > AHEAD_DAYS ? dated : seenAt,
      dated,
      dayAfter: firstOn(movementDay + 1),
      isRecent: seenAt < count && day[seenAt]! - movementDay <= BEHIND_DAYS,
    });
    return starts;
  };
  // The row after the last takes what no balance has yet.
  const sums = new Float64Array((count + 1) * RULE_COUNT).fill(settledMinor, 0, RULE_COUNT);
  for (let place = 0; place < movements.length;) {
    const { day: cutDay } = movements[place]!;
    const cutSeen = seen[place]!;
    startsOf(place);
    // Movements of one day that were first seen together stand alike.
    let movedMinor = 0;
    for (; place < movements.length && seen[place] === cutSeen; place++) {
      const { day: movementDay, amountMinor } = movements[place]!;
      if (movementDay !== cutDay) break;
      movedMinor += amountMinor;
    }
    for (let rule = 0; rule < RULE_COUNT; rule++) sums[starts[rule]! * RULE_COUNT + rule]! += movedMinor;
  }
  for (let at = RULE_COUNT; at < count * RULE_COUNT; at++) sums[at]! += sums[at - RULE_COUNT]!;
  return { sums, startsOf };
}

/** By rule, how much of what was listed came to the balance since an earlier report. */
export function movesByRule(sums: Float64Array, index: number, before: number): number[] {
  const [at, from] = [index * RULE_COUNT, before * RULE_COUNT];
  return Array.from({ length: RULE_COUNT }, (_, rule) => sums[at + rule]! - sums[from + rule]!);
}

/**
 * Whether a rule explains by how much a balance moved since an earlier report.
 *
 * @param toleranceMinor how far off that may be because balances are rounded
 */
export function explainsMove(
  sums: Float64Array,
  index: number,
  before: number,
  movedMinor: number,
  toleranceMinor: number,
): boolean {
  for (let at = index * RULE_COUNT, from = before * RULE_COUNT; at < (index + 1) * RULE_COUNT; at++, from++) {
    if (Math.abs(sums[at]! - sums[from]! - movedMinor) <= toleranceMinor) return true;
  }
  return false;
}

/** Looks up the first observation on a day or later; `count` when there is none. */
function firstObservationByDay({ count, day }: Reports): (wanted: DayNumber) => number {
  const first = day[0]!;
  const last = day[count - 1]!;
  const table = new Int32Array(last - first + 1).fill(count);
  for (let index = count - 1; index >= 0; index--) table[day[index]! - first] = index;
  for (let offset = table.length - 2; offset >= 0; offset--)
    table[offset] = Math.min(table[offset]!, table[offset + 1]!);
  return (wanted) => (wanted <= first ? 0 : wanted > last ? count : table[wanted - first]!);
}
