import { addDays, type CalendarDate, earliest, latest } from '../time/calendar-date.js';
import type { SnapshotRequest } from './bank-provider.js';

/** What decides how far back transactions are fetched. */
export type Wanted = Pick<SnapshotRequest, 'today' | 'historyFrom' | 'completeUntil' | 'partlyKnown'>;

/**
 * The first day to fetch of an account: that of its whole history if the account is new, else an overlap with the
 * stored days.
 *
 * @param overlapDays how late the provider's banks may list a transaction
 */
export function neededFrom(
  externalId: string,
  { historyFrom, completeUntil }: Wanted,
  overlapDays: number,
): CalendarDate {
  const known = completeUntil.get(externalId);
  return known === undefined ? historyFrom : overlapFrom(known, historyFrom, overlapDays);
}

/** An overlap reaches no further back than a first sync; a gap is fetched however long it is. */
export function overlapFrom(known: CalendarDate, historyFrom: CalendarDate, overlapDays: number): CalendarDate {
  return latest(addDays(known, -overlapDays), earliest(known, historyFrom));
}
