import type { DayNumber } from '../balance-engine/ledger.js';

/** The days on which one account has records: one for each from the first to the last. */
export interface Span {
  accountId: string;
  firstDay: DayNumber;
  lastDay: DayNumber;
}

/** Which record: one account on one day. */
export interface RecordKey {
  accountId: string;
  day: DayNumber;
}

export function countRecords(spans: readonly Span[]): number {
  return countFrom(spans, -Infinity);
}

/**
 * The keys on a page of all records, newest day first, accounts of one day in the order of their ids. Since every
 * account has exactly one record a day, they follow from the spans: no history is read, and a late page costs the same
 * as the first. The cost grows with spans × log(days), and with the page.
 *
 * @param spans in the order of their account ids
 * @param offset how many records lie before the page, from 0
 * @param limit how many to give at most
 */
export function keysOfPage(spans: readonly Span[], offset: number, limit: number): RecordKey[] {
  const keys: RecordKey[] = [];
  let day = newestDayWithMoreThan(spans, offset);
  if (day === null) return keys;
  let skip = offset - countFrom(spans, day + 1);
  while (keys.length < limit && day !== null) {
    for (const { accountId, firstDay, lastDay } of spans) {
      if (day < firstDay || day > lastDay) continue;
      if (skip > 0) skip--;
      else if (keys.length < limit) keys.push({ accountId, day });
    }
    day = newestDayBefore(spans, day);
  }
  return keys;
}

/** How many records are of a day or of later ones. */
function countFrom(spans: readonly Span[], day: DayNumber): number {
  let count = 0;
  for (const { firstDay, lastDay } of spans) {
    if (lastDay >= day) count += lastDay - Math.max(firstDay, day) + 1;
  }
  return count;
}

/** The newest day by which, counted from the newest on, there are more records than `offset`; `null` past the end. */
function newestDayWithMoreThan(spans: readonly Span[], offset: number): DayNumber | null {
  if (countFrom(spans, -Infinity) <= offset) return null;
  let low = Math.min(...spans.map(({ firstDay }) => firstDay));
  let high = Math.max(...spans.map(({ lastDay }) => lastDay));
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (countFrom(spans, middle) > offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The day before, or the newest one on which any account still has records. */
function newestDayBefore(spans: readonly Span[], day: DayNumber): DayNumber | null {
  let newest: DayNumber | null = null;
  for (const { firstDay, lastDay } of spans) {
    if (firstDay < day) newest = Math.max(newest ?? -Infinity, Math.min(lastDay, day - 1));
  }
  return newest;
}
