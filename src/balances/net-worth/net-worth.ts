import { type CalendarDate, dateOfDayNumber, dayNumber } from '../../time/calendar-date.js';

export const GRANULARITIES = ['day', 'week', 'month'] as const;
export type Granularity = (typeof GRANULARITIES)[number];

/** Everything of one kind of account on one day, in minor units of one currency. */
export interface DaySum {
  date: CalendarDate;
  /** `-1`: what is owed. */
  factor: 1 | -1;
  sum: number;
}

/** The last balance of an account that is still followed. It carries forward to the days after it. */
export interface LastKnown {
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

/** At most `maxPoints` days of a period, ascending and evenly apart, its last day always. */
export function evenPoints(from: CalendarDate, to: CalendarDate, maxPoints: number): CalendarDate[] {
  const [first, last] = [dayNumber(from), dayNumber(to)];
  const days = Math.max(0, last - first);
  const step = Math.max(1, Math.ceil(days / (maxPoints - 1)));
  const count = Math.floor(days / step) + 1;
  return Array.from({ length: count }, (_, index) => dateOfDayNumber(last - (count - 1 - index) * step));
}

/**
 * Assets and liabilities at each point. An account adds nothing before its first record: its balance is not known then,
 * and the reader is told from which day on all balances are.
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
