import type { Missing, Window } from '../bank-provider/transaction-history.js';
import { overlapFrom, type Wanted } from '../bank-provider/needed-days.js';
import { addDays, earliest, latest } from '../time/calendar-date.js';

/** From 45 days on the provider complains, from 90 on it cuts the oldest part off. */
export const WINDOW_DAYS = 44;
/** How far a later sync reaches back behind what is known: banks list a transaction days late. */
export const OVERLAP_DAYS = 5;

/** The window that ends now. Which accounts it will list is not known yet. */
export function newestWindow(wanted: Wanted): Window {
  const { today, historyFrom, completeUntil, partlyKnown } = wanted;
  const longest = addDays(today, 1 - WINDOW_DAYS);
  const known = [...completeUntil.values(), ...[...(partlyKnown?.values() ?? [])].map(({ until }) => until)];
  const needs = known.map((day) => overlapFrom(day, historyFrom, OVERLAP_DAYS));
  const oldest = needs.length > 0 ? earliest(...needs) : historyFrom;
  return { from: latest(longest, oldest), until: null };
}

/** The newest window of what is missing. */
export function nextWindow({ from, until }: Missing): Window & Missing {
  return { from: latest(addDays(until, -WINDOW_DAYS), from), until };
}
