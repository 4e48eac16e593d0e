import { addDays, type CalendarDate, daysBetween, earliest } from '../../time/calendar-date.js';
import { ProviderError } from '../provider-error.js';
import { type Missing, overlapFrom, type Wanted, type Window } from '../transaction-history.js';

/** How a vendor is asked for a history. */
export interface WindowRules {
  /** The longest window. */
  days: number;
  /** How many stored days a later sync fetches again at least, because banks list a transaction late. */
  overlapDays: number;
  /** A rest of fewer days joins the window before it, because it is not worth a request. */
  shortestDays: number;
  /** Whether a longer newest window costs nothing, so that it is always as long as the history. */
  isNewestWhole: boolean;
}

/**
 * The window that ends now.
 *
 * @param ids external ids of the accounts that are asked for together
 */
export function newestWindow(ids: Iterable<string>, wanted: Wanted, rules: WindowRules): Window {
  const { today, historyFrom, completeUntil, partlyKnown } = wanted;
  const needs = [...ids].map((id) => {
    const known = completeUntil.get(id) ?? partlyKnown?.get(id)?.until;
    return known === undefined ? historyFrom : overlapFrom(known, historyFrom, rules.overlapDays);
  });
  const needed = needs.length > 0 ? earliest(...needs) : historyFrom;
  const usual = addDays(today, 1 - rules.days);
  return { from: firstDay(usual, rules.isNewestWhole ? earliest(needed, historyFrom) : needed, rules), until: null };
}

/** The newest window of the missing days. */
export function nextWindow({ from, until }: Missing, rules: WindowRules): Window & Missing {
  return { from: firstDay(addDays(until, -rules.days), from, rules), until };
}

function firstDay(usual: CalendarDate, needed: CalendarDate, { shortestDays }: WindowRules): CalendarDate {
  return daysBetween(needed, usual) < shortestDays ? needed : usual;
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

/**
 * Fetches a window, or its newer half where the answer is too large. The older half stays missing.
 *
 * @returns the window that was fetched, and its answer
 */
export async function fetchOrHalve<Answer>(
  window: Window,
  today: CalendarDate,
  fetch: (window: Window) => Promise<Answer>,
): Promise<[Window, Answer]> {
  try {
    return [window, await fetch(window)];
  } catch (error) {
    const [newer] = halvesOf(window, today) ?? [];
    if (!newer || !(error instanceof ProviderError) || error.kind !== 'answer_too_large') throw error;
    return [newer, await fetch(newer)];
  }
}
