import { type Arrivals, BEHIND_DAYS } from './arrivals.js';
import type { DayNumber } from './ledger.js';
import type { Reports } from './reports.js';

/** An entry dated further ahead than a time zone can explain is booked in advance. */
const AHEAD_DAYS = 1;

/** Where an entry stands among the observations, each an index; the number of observations where there is none. */
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
 * A balance and the list of entries beside it are rarely of the same moment. A reading is one way in which the two may
 * belong together: it says from which observation on an entry is part of the balance.
 */
type Reading = (standing: Standing) => number;

/** The plainest first. */
const READINGS: readonly Reading[] = [
  // Balance and list agree.
  ({ due }) => due,
  // The list is behind the balance: it catches up a day or more later.
  ({ seen, dayAfter }) => Math.min(seen, dayAfter),
  ({ seen, dated }) => Math.min(seen, dated),
  // The balance is behind the list.
  ({ seen, dayAfter }) => Math.max(seen, dayAfter),
  ({ seen, isRecent }) => (isRecent ? seen + 1 : seen),
  ({ seen, twoDaysAfter }) => Math.max(seen, twoDaysAfter),
  // The balance is of the end of some day, whenever its entries were listed.
  ({ dated }) => dated,
  ({ dayAfter }) => dayAfter,
  ({ twoDaysAfter }) => twoDaysAfter,
];

/** Per reading and arrived entry the first observation whose balance has the entry, and what that sums up to. */
export interface ReadEntries {
  starts: readonly Int32Array[];
  /** The first and the last of them, of each entry. */
  earliest: Int32Array;
  latest: Int32Array;
  /** The sum of all entries that should be part of each observation's balance. */
  sums: readonly Float64Array[];
}

export function readEntries({ entries, settledMinor, seen }: Arrivals, reports: Reports): ReadEntries {
  const { count, day } = reports;
  const starts = READINGS.map(() => new Int32Array(entries.length));
  const earliest = new Int32Array(entries.length).fill(count);
  const latest = new Int32Array(entries.length);
  const sums = READINGS.map(() => new Float64Array(count + 1));
  const firstOn = firstObservationByDay(reports);
  for (let index = 0; index < entries.length; index++) {
    const { day: entryDay, amountMinor } = entries[index]!;
    const seenAt = seen[index]!;
    const dated = firstOn(entryDay);
    const standing: Standing = {
      seen: seenAt,
      due: seenAt < count && entryDay - day[seenAt]! > AHEAD_DAYS ? dated : seenAt,
      dated,
      dayAfter: firstOn(entryDay + 1),
      twoDaysAfter: firstOn(entryDay + 2),
      isRecent: seenAt < count && day[seenAt]! - entryDay <= BEHIND_DAYS,
    };
    for (let rank = 0; rank < READINGS.length; rank++) {
      const start = Math.min(READINGS[rank]!(standing), count);
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
