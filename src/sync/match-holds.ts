import type { SnapshotTransaction } from '../bank-provider/bank-provider.js';
import { type CalendarDate, daysBetween } from '../time/calendar-date.js';

/** A hold is booked within this many days after it was made, or not at all. */
const MAX_DAYS_TO_BOOK = 10;

/** A stored pending row. */
export interface StoredHold {
  externalId: string;
  date: CalendarDate;
  amountMinor: number;
  currency: string;
}

/** A hold and the booked transaction it became, by their external ids. */
export interface BookedHold {
  holdId: string;
  bookedId: string;
}

/**
 * Finds out which holds were booked under a new id. Most banks give no link, so a pair must agree exactly in amount and
 * currency, the booking must lie 0 to 10 days after the hold, and neither may have a second candidate: a doubtful pair
 * stays two rows. Holds that are not listed any more come first, since a hold that is still listed is rarely booked.
 *
 * @param stored pending rows we have
 * @param listed pending rows of the answer
 * @param booked booked rows of the answer that we do not have yet
 */
export function matchHolds(
  stored: readonly StoredHold[],
  listed: readonly SnapshotTransaction[],
  booked: readonly SnapshotTransaction[],
): BookedHold[] {
  const listedIds = new Set(listed.map(({ externalId }) => externalId));
  const gone = stored.filter(({ externalId }) => !listedIds.has(externalId));
  const certain = uniquePairs(gone, booked);
  const taken = new Set(certain.map(({ bookedId }) => bookedId));
  const rest = booked.filter(({ externalId }) => !taken.has(externalId));
  return [...certain, ...uniquePairs(listed, rest)];
}

function uniquePairs(holds: readonly StoredHold[], booked: readonly SnapshotTransaction[]): BookedHold[] {
  const candidates = new Map<string, StoredHold[]>();
  const rivals = new Map<string, number>();
  for (const booking of booked) {
    const fitting = holds.filter((hold) => couldBecome(hold, booking));
    candidates.set(booking.externalId, fitting);
    for (const { externalId } of fitting) rivals.set(externalId, (rivals.get(externalId) ?? 0) + 1);
  }
  return [...candidates].flatMap(([bookedId, [hold, ...others]]) =>
    hold && others.length === 0 && rivals.get(hold.externalId) === 1 ? [{ holdId: hold.externalId, bookedId }] : [],
  );
}

function couldBecome(hold: StoredHold, booking: SnapshotTransaction): boolean {
  const days = daysBetween(hold.date, booking.date);
  const inTime = days >= 0 && days <= MAX_DAYS_TO_BOOK;
  return inTime && hold.amountMinor === booking.amountMinor && hold.currency === booking.currency;
}
