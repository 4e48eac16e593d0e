import type { Missing, Window } from '../bank-provider/transaction-history.js';
import { overlapFrom, type Wanted } from '../bank-provider/needed-days.js';
import { addDays, earliest, latest } from '../time/calendar-date.js';

/** The longest window: from 45 days on the provider warns, from 90 on it cuts off the oldest part. */
export const WINDOW_DAYS = 44;
/** How many known days a later sync needs again. The newest window has more of them wherever it can. */
export const OVERLAP_DAYS = 5;

/**
 * The window that ends now. It is as long as one request may be, because banks list transactions up to weeks late and a
 * longer window costs no request more.
 */
export function newestWindow(wanted: Wanted): Window {
  const { today, historyFrom, completeUntil, partlyKnown } = wanted;
  const longest = addDays(today, 1 - WINDOW_DAYS);
  const known = [...completeUntil.values(), ...[...(partlyKnown?.values() ?? [])].map(({ until }) => until)];
  const needs = known.map((day) => overlapFrom(day, historyFrom, OVERLAP_DAYS));
  const oldest = needs.length > 0 ? earliest(...needs) : historyFrom;
  return { from: latest(longest, earliest(oldest, historyFrom)), until: null };
}

/** The newest window of what is missing. */
export function nextWindow({ from, until }: Missing): Window & Missing {
  return { from: latest(addDays(until, -WINDOW_DAYS), from), until };
}
