import {
  type Missing,
  neededFrom,
  overlapFrom,
  type Wanted,
  type Window,
} from '../bank-provider/transaction-history.js';
import { addDays, type CalendarDate, daysBetween } from '../time/calendar-date.js';

/** A quarter, for answers of a reasonable size; no limit is published. */
export const WINDOW_DAYS = 90;
/**
 * A rest of fewer days joins the window before it, because it is not worth a request, and a single day cannot be halved
 * to verify that it has more rows.
 */
const SHORTEST_DAYS = 30;
/** How many stored days a later sync fetches again; some banks list a transaction weeks late. */
export const OVERLAP_DAYS = 30;

/** The window that ends now. */
export function newestWindow(externalId: string, wanted: Wanted): Window {
  const part = wanted.partlyKnown?.get(externalId);
  const needed = part
    ? overlapFrom(part.until, wanted.historyFrom, OVERLAP_DAYS)
    : neededFrom(externalId, wanted, OVERLAP_DAYS);
  return { from: firstDay(addDays(wanted.today, 1 - WINDOW_DAYS), needed), until: null };
}

/** The newest window of the missing days. */
export function nextWindow({ from, until }: Missing): Window {
  return { from: firstDay(addDays(until, -WINDOW_DAYS), from), until };
}

function firstDay(usual: CalendarDate, needed: CalendarDate): CalendarDate {
  return daysBetween(needed, usual) < SHORTEST_DAYS ? needed : usual;
}

/** The halves of a window, newer one first; `null`: it is a single day. */
export function halvesOf({ from, until }: Window, today: CalendarDate): [Window, Window] | null {
  const days = daysBetween(from, until ?? addDays(today, 1));
  if (days <= 1) return null;
  const middle = addDays(from, Math.floor(days / 2));
  return [
    { from: middle, until },
    { from, until: middle },
  ];
}
