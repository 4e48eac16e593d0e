import type { SnapshotTransaction } from '../../bank-provider/bank-provider.js';
import { type CalendarDate, daysBetween } from '../../time/calendar-date.js';
import { groupedBy } from './grouped-by.js';

/** A hold is booked within this many days after it was made, or not at all. */
const MAX_DAYS_TO_BOOK = 10;

/** A stored pending row. */
export interface StoredHold {
  externalId: string;
  date: CalendarDate;
  amountMinor: number;
  currency: string;
  description: string;
  merchant: string | null;
}

/** A hold and the booked transaction it became, by their external ids. */
export interface BookedHold {
  holdId: string;
  bookedId: string;
}

type Booking = Pick<SnapshotTransaction, 'externalId' | 'date' | 'amountMinor' | 'currency'>;

/**
 * Finds out which holds were booked under a new id. Most banks give no link, so a pair must agree exactly in amount and
 * currency, the booking must lie 0 to 10 days after the hold, and neither may have a second candidate: a doubtful pair
 * stays two rows. Holds that say the same in everything are no rivals of each other, since it does not matter which of
 * them was booked. Holds that are not listed any more come first, since a hold that is still listed is rarely booked.
 *
 * @param stored pending rows we have
 * @param listed pending rows of the answer
 * @param booked booked rows of the answer that we do not have yet
 */
export function matchHolds(
  stored: readonly StoredHold[],
  listed: readonly StoredHold[],
  booked: readonly Booking[],
): BookedHold[] {
  const listedIds = new Set(listed.map(({ externalId }) => externalId));
  const gone = stored.filter(({ externalId }) => !listedIds.has(externalId));
  const certain = pairsOf(gone, booked);
  const taken = new Set(certain.map(({ bookedId }) => bookedId));
  const rest = booked.filter(({ externalId }) => !taken.has(externalId));
  return [...certain, ...pairsOf(listed, rest)];
}

/**
 * Finds out which holds, listed for the first time, are late twins of what we know as booked already: the same, but at
 * the same merchant.
 *
 * @param booked booked rows we have that no hold is known of
 */
export function matchLateTwins(holds: readonly StoredHold[], booked: readonly StoredHold[]): BookedHold[] {
  return pairsOf(holds, booked, (hold, booking) => couldBecome(hold, booking) && hold.merchant === booking.merchant);
}

/** Bookings, each with a hold of the only group of equal holds that it fits. */
function pairsOf<B extends Booking>(
  holds: readonly StoredHold[],
  booked: readonly B[],
  fits: (hold: StoredHold, booking: B) => boolean = couldBecome,
): BookedHold[] {
  const groups = equalHolds(holds);
  const bookings = new Map<StoredHold[], Booking[]>();
  const doubtful = new Set<StoredHold[]>();
  for (const booking of booked) {
    const fitting = groups.filter(([hold]) => fits(hold!, booking));
    for (const group of fitting) bookings.set(group, [...(bookings.get(group) ?? []), booking]);
    if (fitting.length > 1) for (const group of fitting) doubtful.add(group);
  }
  return [...bookings].flatMap(([group, mine]) =>
    doubtful.has(group) || mine.length > group.length ? [] : pairUp(group, mine),
  );
}

/** The last of equal holds first: their ids count them, and those that stay keep their numbers. */
function pairUp(group: readonly StoredHold[], booked: readonly Booking[]): BookedHold[] {
  return booked.map((booking, index) => ({
    holdId: group[group.length - 1 - index]!.externalId,
    bookedId: booking.externalId,
  }));
}

function equalHolds(holds: readonly StoredHold[]): StoredHold[][] {
  const contentOf = ({ date, amountMinor, currency, description, merchant }: StoredHold) =>
    JSON.stringify([date, amountMinor, currency, description, merchant]);
  return [...groupedBy(holds, contentOf).values()];
}

function couldBecome(hold: StoredHold, booking: Booking): boolean {
  const days = daysBetween(hold.date, booking.date);
  const inTime = days >= 0 && days <= MAX_DAYS_TO_BOOK;
  return inTime && hold.amountMinor === booking.amountMinor && hold.currency === booking.currency;
}
