import { type CalendarDate, dayNumber } from '../../time/calendar-date.js';
import { groupedBy } from './grouped-by.js';

/** Banks move the date of a transaction by a few days. */
export const MAX_DAYS_MOVED = 5;

interface Dated {
  date: CalendarDate;
}

/**
 * Pairs rows of equal content one to one by the nearest date, at most five days apart. Equal dates are paired first, so that
 * no row takes the exact match of another.
 *
 * @returns the rows of `known` by those of `listed`
 */
export function pairNearestDays<Row extends Dated, Known extends Row, Listed extends Row>(
  known: readonly Known[],
  listed: readonly Listed[],
  contentOf: (row: Row) => string,
): Map<Listed, Known> {
  const pairs = new Map<Listed, Known>();
  const keyOf = (row: Row, day: number) => `${day} ${contentOf(row)}`;
  const unpaired = groupedBy(known, (row) => keyOf(row, dayNumber(row.date)));
  // Reversed, because `pop` is cheap and `shift` moves a long list.
  for (const group of unpaired.values()) group.reverse();
  for (let daysOff = 0; daysOff <= MAX_DAYS_MOVED; daysOff++) {
    for (const row of listed) {
      if (pairs.has(row)) continue;
      const day = dayNumber(row.date);
      const match = unpaired.get(keyOf(row, day - daysOff))?.pop() ?? unpaired.get(keyOf(row, day + daysOff))?.pop();
      if (match) pairs.set(row, match);
    }
  }
  return pairs;
}
