import { addDays, type CalendarDate } from '../time/calendar-date.js';

/** From 45 days on the provider complains, from 90 on it cuts silently. */
export const WINDOW_DAYS = 44;
/** How far a later sync reaches back behind what is known: banks list a transaction days late. */
export const OVERLAP_DAYS = 5;
/** A bank that has nothing in so many windows has nothing before them either. */
export const EMPTY_WINDOWS_TO_STOP = 2;

export interface Window {
  /** First day, from its midnight in UTC. */
  from: CalendarDate;
  /** The day after the last one; `null`: until now. */
  until: CalendarDate | null;
}

/** Windows of at most 44 days from today back to `from`, newest first, without gap or overlap. */
export function* windowsBack(today: CalendarDate, from: CalendarDate): Generator<Window> {
  let until: CalendarDate | null = null;
  let start = addDays(today, 1 - WINDOW_DAYS);
  for (;;) {
    yield { from: start > from ? start : from, until };
    if (start <= from) return;
    until = start;
    start = addDays(start, -WINDOW_DAYS);
  }
}

/**
 * The first day to ask for. An account that is not known yet needs the whole history, and since one request brings all
 * accounts, so do the others.
 */
export function firstDayToAsk(
  accountIds: readonly string[],
  completeUntil: ReadonlyMap<string, CalendarDate>,
  historyFrom: CalendarDate,
): CalendarDate {
  let oldest: CalendarDate | null = null;
  for (const id of accountIds) {
    const until = completeUntil.get(id);
    if (until === undefined) return historyFrom;
    if (oldest === null || until < oldest) oldest = until;
  }
  const from = oldest === null ? historyFrom : addDays(oldest, -OVERLAP_DAYS);
  return from > historyFrom ? from : historyFrom;
}
