import { dateOfDayNumber } from '../../../platform/time/calendar-date.js';
import { type Entry, MONTH_DAYS } from '../ledger.js';
import type { Steps } from '../steps.js';
import type { AlignedSums } from './alignment-rules.js';
import { BITS } from './costs.js';
import type { OffsetDecoder } from './decoder.js';
import type { FirstSeenIndex, Movement } from './first-seen.js';

/** Of more rows, some add up to anything. */
const MAX_ROWS = 10;

/** Entries that the balance has from a day of the month on, and when it had them. */
interface DebitedMonthly {
  entries: readonly Entry[];
  /** What was listed before the first report, and came to the balance after it. */
  before: readonly Movement[];
  bits: number;
  /** Whether no day of a month has shown yet that all of them came. */
  isSeenOnce: boolean;
}

/** A row that a balance lacks, or has at last, and by how much that moves the offset. */
interface Lack {
  entry: Entry;
  minor: number;
}

/**
 * Some cards are debited once a month: each balance lacks exactly some of the rows that are new to it, and from a day of the
 * month on it has them all. That day is the one that leaves the fewest movements unexplained.
 */
export function* debitedMonthly(
  { offsets, reports: { at, day, count } }: OffsetDecoder,
  entries: readonly Entry[],
  { movements }: FirstSeenIndex,
  { startsOf }: AlignedSums,
): Steps<DebitedMonthly | null> {
  const movedAt = (index: number) => offsets.plain(index) - offsets.plain(index - 1);
  const moves: number[] = [];
  for (let index = 1; index < count; index++) if (movedAt(index) !== 0) moves.push(index);
  // Mostly nothing is to be found out.
  if (moves.length === 0) return null;
  const known = new Set<Movement>(entries);
  const places = [...movements.keys()].filter((place) => known.has(movements[place]!));
  const added = Map.groupBy(places, (place) => startsOf(place)[offsets.usual]!);
  const lacks = (index: number, sign: 1 | -1): Lack[] =>
    (added.get(index) ?? []).map((place) => {
      const entry = movements[place] as Entry;
      return { entry, minor: entry.amountMinor * sign };
    });
  const lacking = moves.filter((index) => subset(lacks(index, -1), movedAt(index)));
  if (lacking.length < moves.length / 2) return null;
  const dates = Array.from({ length: day[count - 1]! - day[0]! + 1 }, (_, ago) =>
    Number(dateOfDayNumber(day[0]! + ago).slice(8)),
  );
  const debitedOn = (date: number) => {
    const held = new Map<Entry, number>();
    const waiting: Entry[] = [];
    let [odd, debits, proofs, before] = [0, 0, 0, { index: -1, minor: 0 }];
    for (let index = 1; index < count; index++) {
      let minor = movedAt(index);
      const isDue = dates.slice(day[index - 1]! + 1 - day[0]!, day[index]! + 1 - day[0]!).includes(date);
      const due = isDue ? waiting.splice(0) : [];
      if (isDue) debits++;
      for (const entry of due) {
        held.set(entry, at[index]!);
        minor -= entry.amountMinor;
      }
      // With what was listed before the first report came some of the rows new to that balance, or all of them later on.
      const undecided = isDue && debits === 2 ? lacks(before.index, 1) : [];
      const found = subset(lacks(index, -1), minor) ?? subset([...lacks(index, -1), ...undecided], minor);
      if (found && due.length > 0) proofs++;
      for (const lack of found ?? []) {
        if (!undecided.includes(lack)) waiting.push(lack.entry);
        else {
          held.set(lack.entry, at[index]!);
          before.minor += lack.minor;
        }
      }
      if (!found && isDue && debits === 1) before = { index, minor };
      else if (!found) odd++;
    }
    for (const entry of waiting) held.set(entry, Infinity);
    return { held, odd, debits, before, isSeenOnce: proofs === 0 };
  };
  const tried: ReturnType<typeof debitedOn>[] = [];
  for (let date = 1; date <= MONTH_DAYS; date++) {
    tried.push(debitedOn(date));
    yield;
  }
  const [best] = tried.filter(({ debits }) => debits > 0).sort((a, b) => a.odd - b.odd);
  if (!best) return null;
  const { held, before, isSeenOnce } = best;
  const { index, minor: amountMinor } = before;
  const share = held.size / movements.length;
  const shareBits = [share, 1 - share].reduce((sum, part) => (part > 0 ? sum - part * Math.log2(part) : sum), 0);
  const bits = BITS.statement + Math.log2(MONTH_DAYS) + movements.length * shareBits + (index > 0 ? BITS.change : 0);
  const taken = { day: day[0]! - MONTH_DAYS, amountMinor: -amountMinor, listedFrom: at[0]! };
  return {
    entries: entries.map((entry) => (held.has(entry) ? { ...entry, movedAt: held.get(entry)! } : entry)),
    before: index > 0 ? [taken, { day: day[index]!, amountMinor, listedFrom: at[index]! }] : [],
    bits,
    isSeenOnce,
  };
}

/** Some of a few that add up to an amount: none to 0; `null`: there are no such. */
function subset(lacks: readonly Lack[], minor: number): readonly Lack[] | null {
  if (minor === 0) return [];
  const [first, ...others] = lacks.slice(0, MAX_ROWS);
  if (!first) return null;
  const more = subset(others, minor - first.minor);
  return more ? [first, ...more] : subset(others, minor);
}
