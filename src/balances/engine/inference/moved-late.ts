import type { Entry } from '../ledger.js';
import { ascendingLookup, firstAtOrAfter, type Reports } from '../reports.js';
import { alignSums, movesByRule } from './alignment-rules.js';
import { indexFirstSeen, isBackfilled } from './first-seen.js';
import { toMovements } from './movements.js';
import { roundingUnit } from './rounding.js';

/**
 * What nothing listed explains of the movement of a balance before an observation, by rule, in the signs that balances may
 * have, with and without what is pending; nothing if any of these explains all of it.
 */
function unexplainedAt(
  index: number,
  sums: Float64Array,
  { reported, pendingTotal }: Reports,
  unit: number,
): readonly number[] {
  const moved = reported[index]! - reported[index - 1]!;
  const pending = pendingTotal[index]! - pendingTotal[index - 1]!;
  const listed = movesByRule(sums, index, index - 1);
  const left = [moved, moved - pending, -moved, -moved - pending].flatMap((all) => listed.map((minor) => all - minor));
  return left.some((minor) => Math.abs(minor) <= unit) ? [] : left;
}

/**
 * Tells of old entries that are first listed after the first report whether the balance moved with them, as it does with a
 * refund that is dated as its purchase: then, or since their day while the list lacked them. Nothing else listed explains
 * its movement, and all of them or one of them do.
 *
 * @param entries in order
 */
export function markMovedLate(entries: readonly Entry[], reports: Reports): readonly Entry[] {
  const firstAt = ascendingLookup(reports.at);
  const seenOf = ({ listedFrom }: Entry) => firstAt(listedFrom);
  const isOld = (entry: Entry) => seenOf(entry) > 0 && isBackfilled(seenOf(entry), entry.day, reports);
  const old = entries.filter(isOld);
  if (old.length === 0) return entries;
  const firstSeen = indexFirstSeen(toMovements(entries, reports), reports);
  const { sums } = alignSums(firstSeen, reports);
  const unit = roundingUnit(reports, firstSeen.movements);
  const movedAt = new Map<Entry, number>();
  const unexplained = new Map<number, readonly number[]>();
  const isUnexplained = (index: number, minor: number) => {
    let amounts = unexplained.get(index);
    if (!amounts) unexplained.set(index, (amounts = unexplainedAt(index, sums, reports, unit)));
    return amounts.some((left) => Math.abs(left - minor) <= unit);
  };
  for (const [index, together] of Map.groupBy(old, seenOf)) {
    const total = together.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
    const isMoved = ({ amountMinor }: Entry) => isUnexplained(index, amountMinor);
    const moved = isUnexplained(index, total) ? together : together.filter(isMoved).slice(0, 1);
    for (const entry of moved) movedAt.set(entry, reports.at[index]!);
    for (const entry of together) {
      if (movedAt.has(entry) || entry.day < reports.day[0]!) continue;
      let since = firstAtOrAfter(reports.day, entry.day + 1);
      while (since < index && !isUnexplained(since, entry.amountMinor)) since++;
      if (since < index) movedAt.set(entry, reports.at[since]!);
    }
  }
  return entries.map((entry) => (movedAt.has(entry) ? { ...entry, movedAt: movedAt.get(entry)! } : entry));
}
