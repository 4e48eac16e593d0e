import type { KnownPart, Missing, Window } from '../bank-provider/transaction-history.js';
import { addDays, type CalendarDate, earliest, latest } from '../time/calendar-date.js';

/** From 45 days on the provider complains, from 90 on it cuts the oldest part off. */
export const WINDOW_DAYS = 44;
/** How far a later sync reaches back behind what is known: banks list a transaction days late. */
export const OVERLAP_DAYS = 5;

/** What the first window depends on. */
export interface Wanted {
  today: CalendarDate;
  historyFrom: CalendarDate;
  completeUntil: ReadonlyMap<string, CalendarDate>;
  partlyKnown?: ReadonlyMap<string, KnownPart>;
}

/** The window that ends now. Which accounts it will list is not known yet. */
export function newestWindow(wanted: Wanted): Window {
  const { today, historyFrom, completeUntil, partlyKnown = new Map<string, KnownPart>() } = wanted;
  const longest = addDays(today, 1 - WINDOW_DAYS);
  const known = [...completeUntil.values(), ...[...partlyKnown.values()].map(({ until }) => until)];
  const needs = known.map((day) => withOverlap(day, historyFrom));
  const oldest = needs.length > 0 ? earliest(...needs) : historyFrom;
  return { from: latest(longest, oldest), until: null };
}

/** The newest window of what is missing. */
export function nextWindow({ from, until }: Missing): Window & Missing {
  return { from: latest(addDays(until, -WINDOW_DAYS), from), until };
}

/** The first day whose transactions are needed of an account: its whole history unless the end of it is known. */
export function neededFrom(externalId: string, { historyFrom, completeUntil }: Wanted): CalendarDate {
  const known = completeUntil.get(externalId);
  return known === undefined ? historyFrom : withOverlap(known, historyFrom);
}

/** An overlap brings no more history than a first sync would; a gap is closed however long it is. */
function withOverlap(known: CalendarDate, historyFrom: CalendarDate): CalendarDate {
  return latest(addDays(known, -OVERLAP_DAYS), earliest(known, historyFrom));
}
