import type { DayNumber, Entry } from '../ledger.js';
import { firstAtOrAfter, type Reports } from '../reports.js';

/** What the list told of the money at one moment: the input of every explanation of a reported balance. */
export interface Movement {
  day: DayNumber;
  /** Holder's view. */
  amountMinor: number;
  /** Epoch milliseconds. */
  listedFrom: number;
  /** Whether the bank took back or replaced what it listed before: that moves the balance when it is listed. */
  isCorrection?: boolean;
}

/**
 * The list's history as movements. A transaction counts from its first version on. A change of amount is a second movement
 * at the moment it was listed, and so is a withdrawal. Another date or another id moves nothing: the balance had the money.
 */
export function toMovements(entries: readonly Entry[], reports: Reports): readonly Movement[] {
  if (entries.every(({ listedUntil }) => listedUntil === null)) return entries;
  const movements: Movement[] = [];
  const changes = new Map<number, Change>();
  const changeAt = (moment: number) => {
    if (!changes.has(moment)) changes.set(moment, { ended: [], begun: [] });
    return changes.get(moment)!;
  };
  for (const entry of entries) if (entry.listedUntil !== null) changeAt(entry.listedUntil).ended.push(entry);
  for (const entry of entries) {
    const change = changes.get(entry.listedFrom);
    if (change) change.begun.push(entry);
    else movements.push(entry);
  }
  for (const [moment, change] of changes) movements.push(...correct(change, dayOfMoment(reports, moment), moment));
  return movements;
}

interface Change {
  ended: Entry[];
  begun: Entry[];
}

function dayOfMoment({ at, day, count }: Reports, moment: number): DayNumber {
  return day[Math.min(firstAtOrAfter(at, moment), count - 1)]!;
}

/** What a moment at which versions ended moves: the difference to what took their place. */
function correct({ ended, begun }: Change, day: DayNumber, listedFrom: number): Movement[] {
  const left = { ended: [...ended].sort(byContent), begun: [...begun].sort(byContent) };
  const movements: Movement[] = [];
  const differ = (amountMinor: number) => movements.push({ day, amountMinor, listedFrom, isCorrection: true });
  for (const before of [...left.ended]) {
    const after = left.begun.find(({ key }) => key === before.key);
    if (!after) continue;
    remove(left, [before], [after]);
    if (after.amountMinor !== before.amountMinor) differ(after.amountMinor - before.amountMinor);
  }
  for (const [before, after] of replacements(left)) remove(left, before, after);
  for (const { amountMinor } of left.ended) differ(-amountMinor);
  for (const entry of left.begun) movements.push({ ...entry, isCorrection: left.ended.length > 0 });
  return movements;
}

/** Groups of equal sum under other ids: re-dated with a new id, several merged into one, one split into several. */
function* replacements(left: Change): Generator<[Entry[], Entry[]]> {
  for (const before of [...left.ended]) {
    const after = left.begun.find(({ amountMinor }) => amountMinor === before.amountMinor);
    if (after) yield [[before], [after]];
  }
  for (const before of [...left.ended]) {
    const parts = partsOf(before.amountMinor, left.begun);
    if (parts) yield [[before], parts];
  }
  for (const after of [...left.begun]) {
    const parts = partsOf(after.amountMinor, left.ended);
    if (parts) yield [parts, [after]];
  }
}

/** Two or three entries that add up to an amount. */
function partsOf(amountMinor: number, entries: readonly Entry[]): Entry[] | null {
  for (const [place, first] of entries.entries()) {
    for (const [next, second] of entries.slice(place + 1).entries()) {
      const rest = amountMinor - first.amountMinor - second.amountMinor;
      if (rest === 0) return [first, second];
      const third = entries.slice(place + next + 2).find((entry) => entry.amountMinor === rest);
      if (third) return [first, second, third];
    }
  }
  return null;
}

function remove(left: Change, ended: readonly Entry[], begun: readonly Entry[]): void {
  left.ended = left.ended.filter((entry) => !ended.includes(entry));
  left.begun = left.begun.filter((entry) => !begun.includes(entry));
}

function byContent(a: Entry, b: Entry): number {
  return a.day - b.day || a.amountMinor - b.amountMinor || (a.key < b.key ? -1 : 1);
}
