import type { Entry } from '../ledger.js';
import { column, firstAtOrAfter, type Reports } from '../reports.js';
import { alignSums, explainsMove } from './alignment-rules.js';
import { indexFirstSeen } from './first-seen.js';
import { isTakenBackSoon, toMovements } from './movements.js';
import { roundingUnit } from './rounding.js';

/** So many days after a row is dropped from the list, a balance that is behind it no longer has the row. */
const FOLLOWED_DAYS = 2;

/**
 * Leaves out what the bank listed a second time by mistake, took back soon, and never had in a balance. All copies that one
 * answer brought stand or fall together: see {@link areShown}.
 *
 * @param entries in order
 */
export function withoutCopies(entries: readonly Entry[], reports: Reports): readonly Entry[] {
  const copies = findCopies(entries, reports);
  if (copies.length === 0) return entries;
  const isCopy = new Set(copies);
  const others = entries.filter((entry) => !isCopy.has(entry));
  const withCopies = countUnexplained(entries, reports);
  const withoutThem = countUnexplained(others, reports);
  const counted = new Set<Entry>();
  for (const [listedFrom, together] of Map.groupBy(copies, (copy) => copy.listedFrom)) {
    const range = rangeShowing(together, listedFrom, reports);
    if (areShown(range, withCopies, withoutThem)) for (const copy of together) counted.add(copy);
  }
  return entries.filter((entry) => !isCopy.has(entry) || counted.has(entry));
}

/**
 * Whether movements of the balance show that it had copies: some are explained only with them, and no more are unexplained.
 * To explain as many alone shows nothing: with a copy and its correction, rules often explain a balance that never moved.
 */
function areShown(
  [before, last]: readonly [number, number],
  withCopies: readonly Int32Array[],
  withoutThem: readonly Int32Array[],
): boolean {
  const unexplained = Math.min(...withoutThem.map((upTo) => upTo[last]! - upTo[before]!));
  if (unexplained === 0) return false;
  return withCopies.some((upTo, sign) => {
    if (upTo[last]! - upTo[before]! > unexplained) return false;
    const without = withoutThem[sign]!;
    for (let at = before + 1; at <= last; at++) {
      if (without[at]! > without[at - 1]! && upTo[at] === upTo[at - 1]) return true;
    }
    return false;
  });
}

/**
 * From after which report to which one movements of the balance may show copies: it may have a row from its day on, well
 * before the list does, and give it back after the list drops it.
 */
function rangeShowing(copies: readonly Entry[], listedFrom: number, { at, day, count }: Reports): [number, number] {
  const booked = column(copies, (copy) => copy.day).sort()[0]!;
  const first = Math.min(firstAtOrAfter(at, listedFrom), firstAtOrAfter(day, booked));
  const ended = firstAtOrAfter(at, column(copies, endOf).sort().at(-1)!);
  const last = Math.max(ended + 1, firstAtOrAfter(day, day[ended]! + FOLLOWED_DAYS));
  return [Math.max(0, first - 1), Math.min(last, count - 1)];
}

/** Entries that were first listed beside an equal one, which was listed before or is listed longer, and soon taken back. */
function findCopies(entries: readonly Entry[], reports: Reports): Entry[] {
  const since = reports.at[0]!;
  const mayBeCopy = (entry: Entry) => entry.listedFrom > since && isTakenBackSoon(entry);
  if (!entries.some(mayBeCopy)) return [];
  const copies: Entry[] = [];
  // Equal entries follow each other. The original is the one that is listed longest.
  for (let start = 0, end = 0; start < entries.length; start = end) {
    while (end < entries.length && isEqual(entries[start]!, entries[end]!)) end++;
    if (end === start + 1) continue;
    let original: Entry | null = null;
    for (const entry of entries.slice(start, end).sort(byListing)) {
      if (original && endOf(original) > entry.listedFrom && mayBeCopy(entry)) copies.push(entry);
      else if (!original || endOf(original) < endOf(entry)) original = entry;
    }
  }
  return copies;
}

function isEqual(a: Entry, b: Entry): boolean {
  return a.day === b.day && a.amountMinor === b.amountMinor;
}

function byListing(a: Entry, b: Entry): number {
  return a.listedFrom - b.listedFrom || endOf(b) - endOf(a) || 0;
}

function endOf({ listedUntil }: Entry): number {
  return listedUntil ?? Infinity;
}

/** By sign that balances may have, and by report, how many movements of the balance up to it no alignment rule explains. */
function countUnexplained(entries: readonly Entry[], reports: Reports): Int32Array[] {
  const index = indexFirstSeen(toMovements(entries, reports), reports);
  const { sums } = alignSums(index, reports);
  const unit = roundingUnit(reports, index.movements);
  return [1, -1].map((sign) => {
    const unexplained = new Int32Array(reports.count);
    for (let at = 1; at < reports.count; at++) {
      const moved = (reports.reported[at]! - reports.reported[at - 1]!) * sign;
      unexplained[at] = unexplained[at - 1]! + (explainsMove(sums, at, at - 1, moved, unit) ? 0 : 1);
    }
    return unexplained;
  });
}
