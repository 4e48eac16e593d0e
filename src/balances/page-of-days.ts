import type { DayNumber } from '../balance-engine/ledger.js';

/** The days on which one account has records: one for each from the first to the last. */
export interface Span {
  accountId: string;
  firstDay: DayNumber;
  lastDay: DayNumber;
}

export function countRecords(spans: readonly Span[]): number {
  return countFrom(spans, -Infinity);
}

/**
 * The parts of the spans that are on a page of all records, newest day first, accounts of one day in the order of their
 * ids. Since every account has exactly one record a day, they follow from the spans: no history is read, and a late page
 * costs the same as the first. The cost grows with spans × log(days).
 *
 * @param spans in the order of their account ids
 * @param offset how many records lie before the page, from 0
 * @param limit how many to give at most
 */
export function spansOfPage(spans: readonly Span[], offset: number, limit: number): Span[] {
  const end = Math.min(offset + limit, countRecords(spans));
  if (offset >= end) return [];
  const newest = dayOfRecord(spans, offset);
  const oldest = dayOfRecord(spans, end - 1);
  // Of the newest day the first accounts may be on the page before, of the oldest day the last ones on the page after.
  let before = offset - countFrom(spans, newest + 1);
  let within = end - countFrom(spans, oldest + 1);
  return spans.flatMap(({ accountId, firstDay, lastDay }) => {
    const has = (day: DayNumber) => firstDay <= day && day <= lastDay;
    const last = has(newest) && before-- > 0 ? newest - 1 : Math.min(lastDay, newest);
    const first = has(oldest) && within-- <= 0 ? oldest + 1 : Math.max(firstDay, oldest);
    return first <= last ? [{ accountId, firstDay: first, lastDay: last }] : [];
  });
}

/** How many records are of a day or of later ones. */
function countFrom(spans: readonly Span[], day: DayNumber): number {
  let count = 0;
  for (const { firstDay, lastDay } of spans) {
    if (lastDay >= day) count += lastDay - Math.max(firstDay, day) + 1;
  }
  return count;
}

/** The day of the record that has `index` records before it, of which there must be more than that. */
function dayOfRecord(spans: readonly Span[], index: number): DayNumber {
  let low = Math.min(...spans.map(({ firstDay }) => firstDay));
  let high = Math.max(...spans.map(({ lastDay }) => lastDay));
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (countFrom(spans, middle) > index) low = middle;
    else high = middle - 1;
  }
  return low;
}
