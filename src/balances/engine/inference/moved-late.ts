import type { Entry } from '../ledger.js';
import { ascendingLookup, type Reports } from '../reports.js';
import { alignSums, movesByRule } from './alignment-rules.js';
import { indexFirstSeen, isBackfilled } from './first-seen.js';
import { toMovements } from './movements.js';
import { roundingUnit } from './rounding.js';

/** The movement of a balance before an observation, in the signs that balances may have, with and without what is pending. */
function movesOf({ reported, pendingTotal }: Reports, index: number): number[] {
  const moved = reported[index]! - reported[index - 1]!;
  const pending = pendingTotal[index]! - pendingTotal[index - 1]!;
  return [moved, moved - pending, -moved, -moved - pending];
}

/**
 * Tells of old entries that are first listed after the first report whether the balance moved with them, as it does with a
 * refund that is dated as its purchase: nothing else listed explains its movement, and all of them or one of them do.
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
  const movedLate = new Set<Entry>();
  for (const [index, together] of Map.groupBy(old, seenOf)) {
    const listed = movesByRule(sums, index, index - 1);
    const unexplained = movesOf(reports, index).flatMap((moved) => listed.map((minor) => moved - minor));
    const is = (minor: number) => unexplained.some((left) => Math.abs(left - minor) <= unit);
    if (is(0)) continue;
    const total = together.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
    const moved = is(total) ? together : together.filter(({ amountMinor }) => is(amountMinor)).slice(0, 1);
    for (const entry of moved) movedLate.add(entry);
  }
  return entries.map((entry) => (movedLate.has(entry) ? { ...entry, movedLate: true } : entry));
}
