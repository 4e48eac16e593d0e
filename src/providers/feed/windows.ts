import { addDays, type CalendarDate, daysBetween, earliest, latest } from '../../platform/time/calendar-date.js';
import type { Days } from '../../platform/time/covered-days.js';
import { ProviderError, type ProviderProblem } from '../provider-error.js';
import type { TransactionHistory, Window } from '../transaction-history.js';

/** How a vendor is asked for a history. */
export interface WindowRules {
  /** The longest window. */
  days: number;
  /** How many stored days a later sync fetches again at least, because banks list a transaction late. */
  overlapDays: number;
  /** A rest of fewer days joins the window before it, because it is not worth a request. */
  shortestDays: number;
}

/** The newest window of the missing days. */
export function windowOf({ from, until }: Days, today: CalendarDate, { days, shortestDays }: WindowRules): Window {
  const first = addDays(until, -days);
  return { from: daysBetween(from, first) < shortestDays ? from : first, until: until > today ? null : until };
}

/** The newest days that any account needs, with all older ones that any needs; `null`: none. */
export function missingOf(histories: readonly TransactionHistory[]): Days | null {
  const all = histories.map(({ missing }) => missing).filter((missing) => missing !== null);
  if (all.length === 0) return null;
  return { from: earliest(...all.map(({ from }) => from)), until: latest(...all.map(({ until }) => until)) };
}

/**
 * Fetches the missing transactions of accounts that are asked for together, newest window first.
 *
 * @param fetch a window, for the accounts whose histories these are
 * @param add its answer to the histories
 */
export async function fetchMissing<Answer>(
  histories: readonly TransactionHistory[],
  { today, ...rules }: WindowRules & { today: CalendarDate },
  fetch: (window: Window) => Promise<Answer>,
  add: (window: Window, answer: Answer) => void,
): Promise<void> {
  for (let missing = missingOf(histories); missing !== null; missing = missingOf(histories)) {
    add(...(await fetchOrHalve(windowOf(missing, today, rules), today, fetch)));
  }
}

/** What kept the older transactions from coming. */
export interface Interruption {
  problem: ProviderProblem;
  retryAfterSeconds: number | null;
}

/**
 * The same, where what has come counts although the rest does not come. The next sync fetches the rest.
 *
 * @throws ProviderError that only a person can help with
 */
export async function fetchAsFarAsPossible<Answer>(
  ...[histories, ...how]: Parameters<typeof fetchMissing<Answer>>
): Promise<Interruption | null> {
  try {
    await fetchMissing(histories, ...how);
    return null;
  } catch (error) {
    if (!(error instanceof ProviderError) || error.needsPerson) throw error;
    const { kind, retryAfterSeconds } = error;
    const message = `History before ${missingOf(histories)!.until} is still missing. ${error.message}`;
    return { problem: { kind, message, isOfOlderDays: true }, retryAfterSeconds };
  }
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
