import { addDays, type CalendarDate, daysBetween } from '../../src/platform/time/calendar-date.js';

/** Every day from `from` to `to`, both included. */
export function eachDay(from: CalendarDate, to: CalendarDate): CalendarDate[] {
  return Array.from({ length: daysBetween(from, to) + 1 }, (_, index) => addDays(from, index));
}
