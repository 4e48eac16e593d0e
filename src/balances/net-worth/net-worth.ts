import { type CalendarDate, dateOfDayNumber, dayNumber } from '../../time/calendar-date.js';

export const GRANULARITIES = ['day', 'week', 'month'] as const;
export type Granularity = (typeof GRANULARITIES)[number];

/** The sum of one account type on one day, in minor units of one currency. */
export interface DaySum {
  date: CalendarDate;
  /** `-1`: a liability. */
  factor: 1 | -1;
  sum: number;
}

/** The last balance of an account that is still synced. It is carried forward. */
interface LastKnown {
  lastDate: CalendarDate;
  factor: 1 | -1;
  balance: number;
}

/** In minor units of one currency. */
export interface NetWorthPoint {
  date: CalendarDate;
  assets: number;
  liabilities: number;
}

/**
 * The sampled days of a period, ascending: every day, every Sunday or every last day of a month, and always the
 * period's last day, so that the newest point is included.
 *
 * @param from day number
 * @param to day number; empty if it is before `from`
 */
export function pointsOf(from: number, to: number, granularity: Granularity): CalendarDate[] {
  const points: CalendarDate[] = [];
  for (let day = from; day <= to; day++) {
    if (day === to || endsPeriod(day, granularity)) points.push(dateOfDayNumber(day));
  }
  return points;
}

function endsPeriod(day: number, granularity: Granularity): boolean {
  switch (granularity) {
    case 'day':
      return true;
    case 'week':
      // Day 0 was a Thursday, so day 3 a Sunday.
      return ((day % 7) + 7) % 7 === 3;
    case 'month':
      return dateOfDayNumber(day + 1).endsWith('-01');
  }
}

/** At most `maxPoints` evenly spaced days of a period, ascending, always with its last day. */
export function evenPoints(from: CalendarDate, to: CalendarDate, maxPoints: number): CalendarDate[] {
  const [first, last] = [dayNumber(from), dayNumber(to)];
  const days = Math.max(0, last - first);
  const step = Math.max(1, Math.ceil(days / (maxPoints - 1)));
  const count = Math.floor(days / step) + 1;
  return Array.from({ length: count }, (_, index) => dateOfDayNumber(last - (count - 1 - index) * step));
}

/**
 * Assets and liabilities at each point. An account adds nothing before its first record, because its balance is unknown
 * then; the report names the day from which every balance is known.
 */
export function netWorth(
  points: readonly CalendarDate[],
  sums: readonly DaySum[],
  lastKnown: readonly LastKnown[],
): NetWorthPoint[] {
  const key = (date: CalendarDate, factor: 1 | -1) => `${date} ${factor}`;
  const recorded = new Map(sums.map(({ date, factor, sum }) => [key(date, factor), sum]));
  return points.map((date) => {
    const total = (wanted: 1 | -1) =>
      lastKnown
        .filter(({ factor, lastDate }) => factor === wanted && lastDate < date)
        .reduce((sum, { balance }) => sum + balance, recorded.get(key(date, wanted)) ?? 0);
    return { date, assets: total(1), liabilities: total(-1) };
  });
}
