import { dayNumber } from '../../platform/time/calendar-date.js';
import type { CoveredDays } from '../../platform/time/covered-days.js';
import type { Standing } from './own-knowledge.entities.js';

/** Days since 1970-01-01. */
type DayNumber = number;

/** A transaction as one of several lists has it. */
export interface ListedRow {
  id: string;
  day: DayNumber;
  /** Holder's view. */
  amountMinor: number;
  /** Breaks ties between equal amounts of one day. */
  text: string;
  /** Epoch milliseconds since when it is known. */
  since: number;
  /** A person has said that it counts also where the list that owns its day does not have it. Missing: nobody has. */
  isChosen?: boolean;
}

/** Days without a gap, the last one included. The first and the last may be half. */
export interface CoveredRange {
  first: DayNumber;
  last: DayNumber;
}

/** A list of transactions: the bank's, or that of a file. */
export interface RowList {
  rows: readonly ListedRow[];
  covered: readonly CoveredRange[];
}

export interface Placed {
  standing: Standing;
  /** The id of the row that is the same transaction. */
  pairedWith: string | null;
}

/**
 * The days that a bank's list has. It is called whole since the beginning once it has all that was asked for; but the bank tells
 * no more than its last months or years, so that the days before its oldest transaction are none of them.
 */
export function daysOfBank(covered: CoveredDays, oldest: DayNumber | null): CoveredRange[] {
  return covered.flatMap(({ from, until }) => {
    const first = from === null ? oldest : dayNumber(from);
    return first === null ? [] : [{ first, last: dayNumber(until) }];
  });
}

/** The same transaction has another date in another list by so many days at most. */
export const MAX_DAYS_APART = 5;

/**
 * Decides which transactions of several lists count. Each day belongs to the first list that has it inside of its days; the
 * rows of other lists count there only as the same transactions. A day at the edge of a list may be half, so that rows of all
 * lists count there, each transaction once.
 *
 * @param lists by their rank: the bank's list, and then those of files, the latest first
 * @param added rows that a person has added: they count until another list brings the same transaction later
 * @returns what becomes of each row but those of the bank, by id
 */
export function placeRows(lists: readonly RowList[], added: readonly ListedRow[]): Map<string, Placed> {
  const placed = new Map<string, Placed>();
  const counted: Counted[] = [];
  for (const [rank, list] of lists.entries()) {
    const isListed = (day: DayNumber) => list.covered.some(({ first, last }) => day >= first && day <= last);
    const isOwned = (day: DayNumber) => lists.slice(0, rank).some(({ covered }) => covered.some(isInside(day)));
    // Without a day that both lists have, equal transactions of two days are two.
    const mayBe = (row: ListedRow, other: Counted) => isListed(other.day) || other.isListed(row.day);
    const pairs = rank === 0 ? new Map<ListedRow, Counted>() : pairRows(list.rows, counted, mayBe);
    for (const row of list.rows) {
      const pairedWith = pairs.get(row)?.id ?? null;
      const isLeftOut = rank > 0 && isOwned(row.day) && !row.isChosen;
      const standing = pairedWith ? 'paired' : isLeftOut ? 'left_out' : 'counted';
      if (rank > 0) placed.set(row.id, { standing, pairedWith });
      if (standing === 'counted') counted.push({ ...row, isListed });
    }
  }
  const pairs = pairRows(added, counted, (row, other) => other.since > row.since);
  for (const row of added) {
    const pairedWith = pairs.get(row)?.id ?? null;
    placed.set(row.id, { standing: pairedWith ? 'paired' : 'counted', pairedWith });
  }
  return placed;
}

/** A row that counts, and the days of its list. */
interface Counted extends ListedRow {
  isListed: (day: DayNumber) => boolean;
}

function isInside(day: DayNumber) {
  return ({ first, last }: CoveredRange) => day > first && day < last;
}

/**
 * Pairs equal amounts one to one, the closest days first, where closest is what is usual between these two lists: one may
 * have the days of purchases and the other those of postings. So a debit of every week is not taken for that of the next.
 */
function pairRows(
  rows: readonly ListedRow[],
  others: readonly Counted[],
  mayBe: (row: ListedRow, other: Counted) => boolean,
): Map<ListedRow, Counted> {
  const keyOf = (amountMinor: number, day: DayNumber) => `${amountMinor} ${day}`;
  const free = Map.groupBy(others, ({ amountMinor, day }) => keyOf(amountMinor, day));
  const at = (row: ListedRow, shift: number) =>
    (free.get(keyOf(row.amountMinor, row.day + shift)) ?? []).filter((other) => mayBe(row, other));
  const usual = usualShift(rows, others, at);
  const pairs = new Map<ListedRow, Counted>();
  for (const shift of SHIFTS.toSorted((a, b) => Math.abs(a - usual) - Math.abs(b - usual))) {
    for (const row of rows) {
      if (pairs.has(row)) continue;
      const equal = at(row, shift);
      const other = equal.find(({ text }) => text === row.text) ?? equal[0];
      if (!other) continue;
      pairs.set(row, other);
      const left = free.get(keyOf(other.amountMinor, other.day))!;
      left.splice(left.indexOf(other), 1);
    }
  }
  return pairs;
}

/** From a row's day to those on which another list may have it, the nearest first. */
const SHIFTS = [0, ...Array.from({ length: MAX_DAYS_APART }, (_, index) => [index + 1, -index - 1]).flat()];

/** How many days later the other list mostly has a transaction, by the amounts that each has once. */
function usualShift(
  rows: readonly ListedRow[],
  others: readonly Counted[],
  at: (row: ListedRow, shift: number) => readonly Counted[],
): number {
  const once = onceIn(rows);
  const onceInOthers = onceIn(others);
  const counts = new Map<number, number>();
  for (const row of rows) {
    if (!once.has(row.amountMinor) || !onceInOthers.has(row.amountMinor)) continue;
    const shift = SHIFTS.find((shift) => at(row, shift).length > 0);
    if (shift !== undefined) counts.set(shift, (counts.get(shift) ?? 0) + 1);
  }
  return SHIFTS.reduce((best, shift) => ((counts.get(shift) ?? 0) > (counts.get(best) ?? 0) ? shift : best));
}

/** The amounts that occur once. */
function onceIn(rows: readonly ListedRow[]): ReadonlySet<number> {
  const counts = new Map<number, number>();
  for (const { amountMinor } of rows) counts.set(amountMinor, (counts.get(amountMinor) ?? 0) + 1);
  return new Set([...counts].flatMap(([amount, count]) => (count === 1 ? [amount] : [])));
}
