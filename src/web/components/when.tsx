import { type CalendarDate, dateInTimeZone } from '../../platform/time/calendar-date.js';
import { formatsByTimeZone } from '../../platform/time/time-zones.js';
import { useTimeZone } from './page-context.js';

let day: Intl.DateTimeFormat | undefined;
const moments = formatsByTimeZone('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
const times = formatsByTimeZone('en-GB', { timeStyle: 'short' });

/** "21 Nov 2026" */
export function dayText(date: CalendarDate): string {
  day ??= new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });
  return day.format(new Date(`${date}T00:00:00Z`));
}

export function Day({ date }: { date: CalendarDate }) {
  return <time dateTime={date}>{dayText(date)}</time>;
}

/** "21 Nov 2026, 14:05" in the person's timezone. */
export function momentText(at: Date | string, timeZone: string): string {
  return moments(timeZone).format(new Date(at));
}

export function Moment({ at }: { at: Date | string }) {
  return <time dateTime={typeof at === 'string' ? at : at.toISOString()}>{momentText(at, useTimeZone())}</time>;
}

/** "14:05" of today, otherwise with its day. */
export function Time({ at, today }: { at: Date; today: CalendarDate }) {
  const timeZone = useTimeZone();
  const text = dateInTimeZone(at, timeZone) === today ? times(timeZone).format(at) : momentText(at, timeZone);
  return <time dateTime={at.toISOString()}>{text}</time>;
}
