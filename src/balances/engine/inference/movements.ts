import { type DayNumber, type Entry, MAX_DAYS_MOVED } from '../ledger.js';
import { firstAtOrAfter, type Reports } from '../reports.js';
import { isBackfilled, type Movement } from './first-seen.js';

/** By what share the amount of a transaction may differ from that of the provisional one it takes the place of. */
const REPLACED_DRIFT = 0.2;

/** So many at once, or in a row, are no coincidence: old rows that equal listed ones, and reports of one figure. */
export const NO_COINCIDENCE = 3;

/**
 * The list's history as movements. A transaction counts from its first version on. A change of amount is a second movement
 * at the moment it was listed, and so is a withdrawal. Another date or another id moves nothing: the balance had the money.
 */
export function toMovements(entries: readonly Entry[], reports: Reports): readonly Movement[] {
  const again = listedAgain(entries, reports);
  const changes = new Map([...changesOf(entries)].map(([moment, change]) => [moment, unmatched(change)]));
  const isPlain = again.size === 0 && changes.size === 0 && !entries.some(({ movedAt }) => movedAt !== undefined);
  if (isPlain) return entries;
  const dropped = new Set(entries.filter(({ listedUntil }) => listedUntil !== null).map(({ key }) => key));
  const dayOf = (moment: number) => dayOfMoment(reports, moment);
  const toMovement = (entry: Entry): Movement => {
    const { key, day, listedUntil, movedAt } = entry;
    const listedFrom = movedAt ?? entry.listedFrom;
    // What returns to the list, is taken back, or is listed again beside the first row is no old history that is
    // delivered only now.
    if (listedUntil === null && dropped.has(key)) return { ...entry, isCorrection: true };
    if (!again.has(entry) && !isTakenBack(entry, reports) && movedAt === undefined) return entry;
    // Of a day before the first balance nothing could show that the balance had it all the time.
    const isBefore = day < reports.day[0]!;
    return { ...entry, listedFrom, isCorrection: true, ...(isBefore && { day: dayOf(listedFrom), correctsDay: day }) };
  };
  const movements = entries.filter(({ listedFrom }) => !changes.has(listedFrom)).map(toMovement);
  // One by one: a list may change in more rows than a call has arguments.
  for (const [moment, change] of changes) {
    for (const movement of correct(change, dayOf(moment), moment, toMovement)) movements.push(movement);
  }
  return movements;
}

/**
 * Old entries that a moment adds to the list although entries of their amounts near their days are listed: after accounts are
 * linked anew. One or two may be equal by chance.
 */
function listedAgain(entries: readonly Entry[], reports: Reports): Set<Entry> {
  const { at } = reports;
  const isOld = ({ day, listedFrom }: Entry) =>
    listedFrom > at[0]! && isBackfilled(firstAtOrAfter(at, listedFrom), day, reports);
  const old = new Set(entries.filter(isOld));
  if (old.size === 0) return old;
  const isOther = (entry: Entry) => !old.has(entry);
  const listed = Map.groupBy(entries.filter(isOther), ({ amountMinor }) => amountMinor);
  const hasEqual = (entry: Entry) => {
    const equal = listed.get(entry.amountMinor) ?? [];
    const place = equal.findIndex((other) => isNear(other, entry));
    if (place >= 0) equal.splice(place, 1);
    return place >= 0;
  };
  const byMoment = Map.groupBy([...old].filter(hasEqual), ({ listedFrom }) => listedFrom);
  const again = [...byMoment].map(([moment, equal]) => {
    // What is older than all that was listed is a longer history.
    const first = entries.find(({ listedFrom }) => listedFrom < moment)?.day ?? Infinity;
    return equal.filter(({ day }) => day >= first);
  });
  return new Set(again.filter(({ length }) => length >= NO_COINCIDENCE).flat());
}

/** Whether the bank took back what it listed after the first report, so old then that it seemed to be backfilled. */
export function isTakenBack({ day, listedFrom, listedUntil }: Entry, reports: Reports): boolean {
  const seen = firstAtOrAfter(reports.at, listedFrom);
  return listedUntil !== null && seen > 0 && isBackfilled(seen, day, reports);
}

/** The entries that the list dropped since a moment, and that nothing took the place of. */
export function withdrawnSince(entries: readonly Entry[], since: number): Entry[] {
  const withdrawn: Entry[] = [];
  for (const [moment, change] of changesOf(entries)) {
    if (moment < since) continue;
    const { ended, begun } = unmatched(change).left;
    const amounts = Float64Array.from(begun, ({ amountMinor }) => amountMinor).sort();
    const isReplaced = ({ amountMinor }: Entry) => {
      const drift = Math.abs(amountMinor) * REPLACED_DRIFT;
      return amounts[firstAtOrAfter(amounts, amountMinor - drift)]! <= amountMinor + drift;
    };
    for (const entry of ended) if (!isReplaced(entry)) withdrawn.push(entry);
  }
  return withdrawn.sort(byContent);
}

/** By moment, what ended and what began, where anything ended. */
function changesOf(entries: readonly Entry[]): Map<number, Change> {
  const changes = new Map<number, Change>();
  for (const entry of entries) {
    const { listedUntil } = entry;
    if (listedUntil === null) continue;
    if (!changes.has(listedUntil)) changes.set(listedUntil, { ended: [], begun: [] });
    changes.get(listedUntil)!.ended.push(entry);
  }
  if (changes.size > 0) for (const entry of entries) changes.get(entry.listedFrom)?.begun.push(entry);
  return changes;
}

interface Change {
  ended: Entry[];
  begun: Entry[];
}

/** By how much a version differs from the one before. */
interface Difference {
  before: Entry;
  day: DayNumber;
  amountMinor: number;
}

function dayOfMoment({ at, day, count }: Reports, moment: number): DayNumber {
  return day[Math.min(firstAtOrAfter(at, moment), count - 1)]!;
}

/** The movements at a moment at which versions ended: what replaced them minus what ended. */
function correct(
  { left, differences }: Unmatched,
  day: DayNumber,
  listedFrom: number,
  toMovement: (entry: Entry) => Movement,
): Movement[] {
  const takenBack = left.ended.map((before) => ({ before, day: before.day, amountMinor: -before.amountMinor }));
  return [
    ...[...differences, ...takenBack].map(({ before, day: correctsDay, amountMinor }) => {
      return { day, amountMinor, listedFrom, isCorrection: true, correctsSince: before.listedFrom, correctsDay };
    }),
    ...left.begun.map((entry) => (left.ended.length > 0 ? { ...entry, isCorrection: true } : toMovement(entry))),
  ];
}

/** What ended without a replacement, what began without replacing anything, and how amounts of versions differ. */
interface Unmatched {
  left: Change;
  differences: Difference[];
}

function unmatched({ ended, begun }: Change): Unmatched {
  const left = { ended: new Set([...ended].sort(byContent)), begun: new Set([...begun].sort(byContent)) };
  const differences: Difference[] = [];
  const versions = new Map(begun.map((entry) => [entry.key, entry]));
  for (const before of left.ended) {
    const after = versions.get(before.key);
    if (!after || !isNear(before, after)) continue;
    left.ended.delete(before);
    left.begun.delete(after);
    const amountMinor = after.amountMinor - before.amountMinor;
    if (amountMinor !== 0) differences.push({ before, day: after.day, amountMinor });
  }
  dropReplaced(left);
  return { left: { ended: [...left.ended], begun: [...left.begun] }, differences };
}

/** Drops pairs of one amount under other ids: re-dated with a new id. */
function dropReplaced({ ended, begun }: Record<keyof Change, Set<Entry>>): void {
  const equal = Map.groupBy([...begun].reverse(), ({ amountMinor }) => amountMinor);
  for (const before of ended) {
    const same = equal.get(before.amountMinor) ?? [];
    const place = same.findLastIndex((after) => isNear(before, after));
    if (place < 0) continue;
    ended.delete(before);
    for (const after of same.splice(place, 1)) begun.delete(after);
  }
}

function isNear(before: Entry, after: Entry): boolean {
  return Math.abs(after.day - before.day) <= MAX_DAYS_MOVED;
}

function byContent(a: Entry, b: Entry): number {
  return a.day - b.day || a.amountMinor - b.amountMinor || (a.key < b.key ? -1 : 1);
}
