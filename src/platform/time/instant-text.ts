import { isCalendarDate } from './calendar-date.js';

/** With a UTC offset, since the instant would be ambiguous without. RFC 3339 has no hour 24, and `Date` takes it. */
const INSTANT = /^\d{4}-\d\d-\d\dT([01]\d|2[0-3]):\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;

/**
 * An instant in the form of the API: `2026-03-02T06:17:04.211Z`.
 *
 * @param unixSeconds with a fraction, as PostgreSQL's `date_part('epoch', …)` gives it
 */
export function instantText(unixSeconds: number): string {
  return new Date(Math.round(unixSeconds * 1000)).toISOString();
}

// In UTC, too: the first and the last day of four-digit years have instants outside of them.
const FIRST = Date.parse('0001-01-01T00:00:00Z');
const LAST = Date.parse('9999-12-31T23:59:59.999Z');

/** Whether a text is an instant like `2026-03-02T06:17:04Z`. `Date` alone takes the 30th of February for the 2nd of March. */
export function isInstantText(text: string): boolean {
  const instant = INSTANT.test(text) && isCalendarDate(text.slice(0, 10)) ? Date.parse(text) : NaN;
  return instant >= FIRST && instant <= LAST;
}
