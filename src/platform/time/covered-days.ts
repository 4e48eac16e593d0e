import { addDays, type CalendarDate, earliest, latest } from './calendar-date.js';

/** Days without a gap between them. */
export interface DayRange {
  /** `null`: all days before `until`. */
  from: CalendarDate | null;
  /** The day after the last one. Of an answer this is its own day, which is not over. */
  until: CalendarDate;
}

/** Days with a first one. */
export interface Days extends DayRange {
  from: CalendarDate;
}

/** The days of which an account's list of transactions is whole, oldest first: ranges that do not touch. */
export type CoveredDays = readonly DayRange[];

/** Of a `datemultirange`. */
export function parseCoveredDays(text: string): CoveredDays {
  const ranges = [...text.matchAll(/[[(]([\d-]*),([\d-]+)\)/g)];
  return ranges.map(([, from, until]) => ({ from: from || null, until: until! }));
}

/** As a `datemultirange`. */
export function coveredDaysText(covered: CoveredDays): string {
  return `{${covered.map(({ from, until }) => (from === null ? `(,${until})` : `[${from},${until})`)).join(',')}}`;
}

/** The day up to which no transaction is missing since the beginning; `null`: there is no such day. */
export function completeUntil(covered: CoveredDays): CalendarDate | null {
  const [first] = covered;
  return first && first.from === null ? first.until : null;
}

/** The day of the last list that lacked nothing at its end; `null`: there is none. */
export function coveredUntil(covered: CoveredDays): CalendarDate | null {
  return covered.at(-1)?.until ?? null;
}

/** The days with more of them. */
export function withDays(covered: CoveredDays, { from, until }: DayRange): CoveredDays {
  if (from !== null && from >= until) return covered;
  const touches = (other: DayRange) =>
    (from === null || other.until >= from) && (other.from === null || other.from <= until);
  const joined = [{ from, until }, ...covered.filter(touches)];
  const ends = joined.map((range) => range.until).sort();
  const starts = joined.map((range) => range.from ?? '').sort();
  const whole = { from: starts[0] || null, until: ends.at(-1)! };
  const others = covered.filter((range) => !touches(range));
  return [...others, whole].sort((a, b) => (a.until < b.until ? -1 : 1));
}

/** The days before one. */
export function daysBefore(covered: CoveredDays, day: CalendarDate): CoveredDays {
  const begun = covered.filter(({ from }) => from === null || from < day);
  return begun.map(({ from, until }) => ({ from, until: until < day ? until : day }));
}

/** The days without the last ones before each gap, because banks list a transaction late. */
export function settledDays(covered: CoveredDays, overlapDays: number): CoveredDays {
  const settled = covered.map(({ from, until }) => ({ from, until: addDays(until, -overlapDays) }));
  return settled.filter(({ from, until }) => from === null || from < until);
}

/** The days of a range that are not covered, oldest first. */
export function missingDays(covered: CoveredDays, { from, until }: Days): Days[] {
  const missing: Days[] = [];
  let next = from;
  for (const range of covered) {
    if (range.from !== null) missing.push({ from: next, until: earliest(range.from, until) });
    next = latest(next, range.until);
  }
  return [...missing, { from: next, until }].filter((days) => days.from < days.until);
}
