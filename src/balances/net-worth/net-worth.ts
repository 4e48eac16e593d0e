import { type CalendarDate, dateOfDayNumber, dayNumber } from '../../time/calendar-date.js';

export const GRANULARITIES = ['day', 'week', 'month'] as const;
export type Granularity = (typeof GRANULARITIES)[number];

/** What all assets (1) and all liabilities (-1) of one currency hold, by day, in minor units. */
export type DaySums = Readonly<Partial<Record<1 | -1, Readonly<Record<CalendarDate, number>>>>>;

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
  sums: DaySums,
  lastKnown: readonly LastKnown[],
): NetWorthPoint[] {
  const lastPoint = points.at(-1) ?? '';
  const carried = lastKnown.filter(({ lastDate }) => lastDate < lastPoint);
  return points.map((date) => {
    const total = (wanted: 1 | -1) =>
      carried
        .filter(({ factor, lastDate }) => factor === wanted && lastDate < date)
        .reduce((sum, { balance }) => sum + balance, sums[wanted]?.[date] ?? 0);
    return { date, assets: total(1), liabilities: total(-1) };
  });
}
