import type { DayNumber } from '../ledger.js';
import type { Reports } from '../reports.js';
import { BEHIND_DAYS, type FirstSeenIndex } from './first-seen.js';

/** A transaction dated further ahead than a time zone can explain is booked in advance. */
const AHEAD_DAYS = 1;

/** Where a movement stands among the observations, each an index; the number of observations where there is none. */
interface Standing {
  /** The first that knew it. */
  seen: number;
  /** The same, but of an entry booked in advance the first on its day or later. */
  due: number;
  /** The first on its day or later, a day after it, two days after it. */
  dated: number;
  dayAfter: number;
  twoDaysAfter: number;
  /** Whether it was new when it was first seen. */
  isRecent: boolean;
}

/**
 * A balance and the list beside it are rarely of the same moment. An alignment rule is one way in which the two may belong
 * together: it cuts the list by saying from which observation on a movement is part of the balance.
 */
type AlignmentRule = (standing: Standing) => number;

/** The plainest first. */
const RULES: readonly AlignmentRule[] = [
  // Balance and list agree.
  ({ due }) => due,
  // The list is behind the balance: it catches up a day or more later.
  ({ seen, dayAfter }) => Math.min(seen, dayAfter),
  ({ seen, dated }) => Math.min(seen, dated),
  // The balance is behind the list.
  ({ seen, dayAfter }) => Math.max(seen, dayAfter),
  ({ seen, isRecent }) => (isRecent ? seen + 1 : seen),
  ({ seen, twoDaysAfter }) => Math.max(seen, twoDaysAfter),
  // The balance is of the end of some day, whenever its transactions were listed.
  ({ dated }) => dated,
  ({ dayAfter }) => dayAfter,
  ({ twoDaysAfter }) => twoDaysAfter,
];

/** Per rule and movement the first observation whose balance has the movement, and what that sums up to. */
export interface AlignedSums {
  starts: readonly Int32Array[];
  /** The first and the last of them, of each movement. */
  earliest: Int32Array;
  latest: Int32Array;
  /** The sum of all movements that should be part of each observation's balance. */
  sums: readonly Float64Array[];
}

export function alignSums({ movements, settledMinor, seen }: FirstSeenIndex, reports: Reports): AlignedSums {
  const { count, day } = reports;
  const starts = RULES.map(() => new Int32Array(movements.length));
  const earliest = new Int32Array(movements.length).fill(count);
  const latest = new Int32Array(movements.length);
  const sums = RULES.map(() => new Float64Array(count + 1));
  const firstOn = firstObservationByDay(reports);
  for (let index = 0; index < movements.length; index++) {
    const { day: movementDay, amountMinor } = movements[index]!;
    const seenAt = seen[index]!;
    const dated = firstOn(movementDay);
    const standing: Standing = {
      seen: seenAt,
      due: seenAt < count && movementDay - day[seenAt]! > AHEAD_DAYS ? dated : seenAt,
      dated,
      dayAfter: firstOn(movementDay + 1),
      twoDaysAfter: firstOn(movementDay + 2),
      isRecent: seenAt < count && day[seenAt]! - movementDay <= BEHIND_DAYS,
    };
    for (let rank = 0; rank < RULES.length; rank++) {
      const start = Math.min(RULES[rank]!(standing), count);
      starts[rank]![index] = start;
      if (start < earliest[index]!) earliest[index] = start;
      if (start > latest[index]!) latest[index] = start;
      sums[rank]![start]! += amountMinor;
    }
  }
  for (const column of sums) {
    column[0]! += settledMinor;
    for (let index = 1; index < count; index++) column[index]! += column[index - 1]!;
  }
  return { starts, earliest, latest, sums };
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
