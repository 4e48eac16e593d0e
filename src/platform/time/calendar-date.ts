import { formatsByTimeZone } from './time-zones.js';

/**
 * A calendar day as text, `YYYY-MM-DD`, from 0001-01-01 to 9999-12-31, without a timezone. Days compare as text.
 */
export type CalendarDate = string;

export const DAY_MS = 86_400_000;
const PATTERN = /^(?!0000)\d{4}-\d{2}-\d{2}$/;

/** Whether a text is a calendar day: "2024-02-29" is, "2023-02-29" and "2024-2-9" are not. */
export function isCalendarDate(text: string): boolean {
  if (!PATTERN.test(text)) return false;
  const month = Number(text.slice(5, 7));
  const day = Number(text.slice(8));
  return month >= 1 && month <= 12 && day >= 1 && day <= daysOfMonth(Number(text.slice(0, 4)), month);
}

/** Computed, because a `Date` makes a sync of 100,000 rows that are all in the answer cost 1.15 times as much. */
function daysOfMonth(year: number, month: number): number {
  if (month !== 2) return [4, 6, 9, 11].includes(month) ? 30 : 31;
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
}

/** Days since 1970-01-01, for arithmetic. */
export function dayNumber(date: CalendarDate): number {
  return Math.round(Date.parse(`${date}T00:00:00Z`) / DAY_MS);
}

/** A cache, without which the same sync costs 1.2 times as much: many rows are of few days. */
const texts = new Map<number, CalendarDate>();
const MOST_TEXTS = 20_000;

/** The inverse of {@link dayNumber}. */
export function dateOfDayNumber(day: number): CalendarDate {
  const known = texts.get(day);
  if (known !== undefined) return known;
  const text = new Date(day * DAY_MS).toISOString().slice(0, 10);
  if (texts.size >= MOST_TEXTS) texts.clear();
  texts.set(day, text);
  return text;
}

/** The day `days` after (or, negative, before) a day. */
export function addDays(date: CalendarDate, days: number): CalendarDate {
  return dateOfDayNumber(dayNumber(date) + days);
}

/** How many days `to` lies after `from`; negative when it lies before. */
export function daysBetween(from: CalendarDate, to: CalendarDate): number {
  return dayNumber(to) - dayNumber(from);
}

/** The first of some days, at least one. */
export function earliest(...days: readonly CalendarDate[]): CalendarDate {
  return days.reduce((found, day) => (day < found ? day : found));
}

/** The last of some days, at least one. */
export function latest(...days: readonly CalendarDate[]): CalendarDate {
  return days.reduce((found, day) => (day > found ? day : found));
}

/** The UTC day of an instant in Unix seconds. */
export function dateOfUnixSeconds(seconds: number): CalendarDate {
  return dateOfDayNumber(Math.floor(seconds / 86_400));
}

/** Unix seconds of a day's begin in UTC. */
export function unixSecondsOf(date: CalendarDate): number {
  return dayNumber(date) * 86_400;
}

const long = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** A day for a person: "3 March 2026". */
export function longDate(date: CalendarDate): string {
  return long.format(new Date(`${date}T00:00:00Z`));
}

/** An instant for a person: "3 March 2026, 14:05 UTC". */
export function longInstant(instant: Date): string {
  const text = instant.toISOString();
  return `${longDate(text.slice(0, 10))}, ${text.slice(11, 16)} UTC`;
}

const zones = formatsByTimeZone('en-CA', { year: 'numeric', month: '2-digit', day: '2-digit' });

/** The day of an instant in an IANA timezone ("Europe/Prague"). */
export function dateInTimeZone(instant: Date, timeZone: string): CalendarDate {
  return zones(timeZone).format(instant);
}
