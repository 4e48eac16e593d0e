import type { Missing, Window } from '../bank-provider/transaction-history.js';
import { neededFrom, overlapFrom, type Wanted } from '../bank-provider/needed-days.js';
import { addDays, type CalendarDate, daysBetween } from '../time/calendar-date.js';

/** No limit is published; an answer of a quarter is of a reasonable size. */
export const WINDOW_DAYS = 90;
/**
 * What would be left over of fewer days comes along with the window before it: it is not worth a request, and of a single
 * day that says that it has more rows there are no halves to tell whether it is true.
 */
const SHORTEST_DAYS = 30;
/** How far a later sync reaches back behind what is known: some upstream banks list a transaction weeks late. */
export const OVERLAP_DAYS = 30;

/** The window that ends now. */
export function newestWindow(externalId: string, wanted: Wanted): Window {
  const part = wanted.partlyKnown?.get(externalId);
  const needed = part
    ? overlapFrom(part.until, wanted.historyFrom, OVERLAP_DAYS)
    : neededFrom(externalId, wanted, OVERLAP_DAYS);
  return { from: firstDay(addDays(wanted.today, 1 - WINDOW_DAYS), needed), until: null };
}

/** The newest window of what is missing. */
export function nextWindow({ from, until }: Missing): Window {
  return { from: firstDay(addDays(until, -WINDOW_DAYS), from), until };
}

function firstDay(usual: CalendarDate, needed: CalendarDate): CalendarDate {
  return daysBetween(needed, usual) < SHORTEST_DAYS ? needed : usual;
}

/** A window in two, newer one first; `null` for a single day. */
export function halvesOf({ from, until }: Window, today: CalendarDate): [Window, Window] | null {
  const days = daysBetween(from, until ?? addDays(today, 1));
  if (days <= 1) return null;
  const middle = addDays(from, Math.floor(days / 2));
  return [
    { from: middle, until },
    { from, until: middle },
  ];
}
