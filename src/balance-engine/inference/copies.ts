import type { Entry } from '../ledger.js';
import { column, firstAtOrAfter, type Reports } from '../reports.js';
import { alignSums, explainsMove } from './alignment-rules.js';
import { indexFirstSeen } from './first-seen.js';
import { isTakenBackSoon, toMovements } from './movements.js';
import { roundingUnit } from './rounding.js';

/**
 * Leaves out what the bank listed a second time by mistake, took back soon, and never had in a balance. All copies that one
 * answer brought stand or fall together: they count where the list explains more movements of the balance with them.
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
    const ends = column(together, endOf).sort();
    const first = firstAtOrAfter(reports.at, listedFrom);
    const last = Math.min(firstAtOrAfter(reports.at, ends.at(-1)!), reports.count - 1);
    const unexplainedIn = (upTo: Int32Array) => (first > last ? 0 : upTo[last]! - upTo[first - 1]!);
    if (unexplainedIn(withCopies) < unexplainedIn(withoutThem)) for (const copy of together) counted.add(copy);
  }
  return entries.filter((entry) => !isCopy.has(entry) || counted.has(entry));
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

/** By report, how many movements of the balance up to it no alignment rule explains, in either sign. */
function countUnexplained(entries: readonly Entry[], reports: Reports): Int32Array {
  const index = indexFirstSeen(toMovements(entries, reports), reports);
  const { sums } = alignSums(index, reports);
  const unit = roundingUnit(reports, index.movements);
  const unexplained = new Int32Array(reports.count);
  for (let at = 1; at < reports.count; at++) {
    const moved = reports.reported[at]! - reports.reported[at - 1]!;
    const isExplained = [moved, -moved].some((amount) => explainsMove(sums, at, at - 1, amount, unit));
    unexplained[at] = unexplained[at - 1]! + (isExplained ? 0 : 1);
  }
  return unexplained;
}
