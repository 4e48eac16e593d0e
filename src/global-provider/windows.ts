import type { Window } from '../bank-provider/transaction-history.js';
import { addDays, type CalendarDate, daysBetween, earliest, latest } from '../time/calendar-date.js';

/** No limit is published; an answer of a quarter is of a reasonable size. */
export const WINDOW_DAYS = 90;
/**
 * What would be left over of fewer days comes along with the window before it: it is not worth a request, and of a single
 * day that says that it has more rows there are no halves to tell whether it is true.
 */
const SHORTEST_DAYS = 30;
/** How far a later sync reaches back behind what is known: some upstream banks list a transaction weeks late. */
export const OVERLAP_DAYS = 30;

/** What the first window depends on. */
export interface Wanted {
  today: CalendarDate;
  historyFrom: CalendarDate;
  completeUntil: ReadonlyMap<string, CalendarDate>;
}

/** The window that ends now. */
export function newestWindow(neededFrom: CalendarDate, today: CalendarDate): Window {
  return { from: firstDay(addDays(today, 1 - WINDOW_DAYS), neededFrom), until: null };
}

/** The window before another, not beyond the oldest day needed. */
export function windowBefore({ from: until }: Window, oldestNeeded: CalendarDate): Window {
  return { from: firstDay(addDays(until, -WINDOW_DAYS), oldestNeeded), until };
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

/**
 * The first day whose transactions are needed of an account: its whole history unless some of it is known. An overlap
 * brings no more history than a first sync would; a gap is closed however long it is.
 */
export function neededFrom(externalId: string, { historyFrom, completeUntil }: Wanted): CalendarDate {
  const known = completeUntil.get(externalId);
  if (known === undefined) return historyFrom;
  return latest(addDays(known, -OVERLAP_DAYS), earliest(known, historyFrom));
}
