import { type CalendarDate, dateOfDayNumber } from '../time/calendar-date.js';

export const GRANULARITIES = ['day', 'week', 'month'] as const;
export type Granularity = (typeof GRANULARITIES)[number];

/** Everything of one kind of account on one day, in minor units of one currency. */
export interface DaySum {
  date: CalendarDate;
  /** `-1`: what is owed. */
  factor: 1 | -1;
  sum: number;
}

/** An account whose records end before the period does, though it is still there: its last balance goes on. */
export interface LastKnown {
  lastDate: CalendarDate;
  factor: 1 | -1;
  balance: number;
}

export interface NetWorthPoint {
  date: CalendarDate;
  assets: number;
  liabilities: number;
}

/**
 * The days a period is looked at, ascending: every day, every Sunday or every last day of a month, and the period's own
 * last day, so that the newest point is always there.
 *
 * @param from day number
 * @param to day number; none lie between when it is before `from`
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

/** Assets and liabilities at each point. A day without any record is zero: nothing was known of any account then. */
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
