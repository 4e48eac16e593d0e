import { type CalendarDate, dayNumber } from '../../time/calendar-date.js';

/** A transaction as it is compared with others. */
export interface ComparedTransaction {
  externalId: string;
  date: CalendarDate;
  amountMinor: number;
  currency: string;
  description: string;
  merchant: string | null;
}

/** Everything but the external id. */
export function contentOf({ date, amountMinor, currency, description, merchant }: ComparedTransaction): string {
  return JSON.stringify([date, amountMinor, currency, description, merchant]);
}

/** Groups rows by key and by day number: a bank can list 100,000 rows of one key, so pairs of rows cannot be compared. */
export function byKeyAndDay<Row>(
  rows: Iterable<Row>,
  keyOf: (row: Row) => string,
  dateOf: (row: Row) => CalendarDate,
): Map<string, Map<number, Row[]>> {
  const byKey = Map.groupBy(rows, keyOf);
  return new Map([...byKey].map(([key, same]) => [key, Map.groupBy(same, (row) => dayNumber(dateOf(row)))]));
}
