import { type Missing, overlapFrom, type Wanted, type Window } from '../bank-provider/transaction-history.js';
import { addDays, earliest, latest } from '../time/calendar-date.js';

/** The longest window. From 45 days the provider warns, from 90 it cuts off the oldest part. */
export const WINDOW_DAYS = 44;
/** How many stored days a later sync fetches again at least. */
export const OVERLAP_DAYS = 5;

/**
 * The window that ends now. It is as long as one request may be, because banks list transactions weeks late.
 */
export function newestWindow(wanted: Wanted): Window {
  const { today, historyFrom, completeUntil, partlyKnown } = wanted;
  const longest = addDays(today, 1 - WINDOW_DAYS);
  const known = [...completeUntil.values(), ...[...(partlyKnown?.values() ?? [])].map(({ until }) => until)];
  const needs = known.map((day) => overlapFrom(day, historyFrom, OVERLAP_DAYS));
  const oldest = needs.length > 0 ? earliest(...needs) : historyFrom;
  return { from: latest(longest, earliest(oldest, historyFrom)), until: null };
}

/** The newest window of the missing days. */
export function nextWindow({ from, until }: Missing): Window & Missing {
  return { from: latest(addDays(until, -WINDOW_DAYS), from), until };
}
