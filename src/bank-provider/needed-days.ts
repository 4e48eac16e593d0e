import { addDays, type CalendarDate, earliest, latest } from '../time/calendar-date.js';
import type { SnapshotRequest } from './bank-provider.js';

/** What decides how far back accounts are asked for. */
export type Wanted = Pick<SnapshotRequest, 'today' | 'historyFrom' | 'completeUntil' | 'partlyKnown'>;

/**
 * The first day whose transactions are needed of an account: its whole history unless it is known already.
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

/** An overlap brings no more history than a first sync would; a gap is closed however long it is. */
export function overlapFrom(known: CalendarDate, historyFrom: CalendarDate, overlapDays: number): CalendarDate {
  return latest(addDays(known, -overlapDays), earliest(known, historyFrom));
}
