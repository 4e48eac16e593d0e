import type { SnapshotTransaction } from '../../bank-provider/bank-provider.js';
import { type CalendarDate, dayNumber } from '../../time/calendar-date.js';
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
  return pairsOf(holds, booked, (row) => JSON.stringify([row.amountMinor, row.currency, row.merchant]));
}

/**
 * Bookings, each with a hold of the only group of equal holds that it fits. A hold fits with the same key, 0 to 10 days
 * before the booking: groups are found by key and day, since banks can list thousands of one amount.
 */
function pairsOf<B extends Booking>(
  holds: readonly StoredHold[],
  booked: readonly B[],
  keyOf: (row: StoredHold | B) => string = amountOf,
): BookedHold[] {
  const groups = groupedBy(equalHolds(holds), ([hold]) => `${keyOf(hold!)} ${dayNumber(hold!.date)}`);
  const bookings = new Map<StoredHold[], Booking[]>();
  const doubtful = new Set<StoredHold[][]>();
  for (const booking of booked) {
    const [key, day] = [keyOf(booking), dayNumber(booking.date)];
    const sameKey = Array.from({ length: MAX_DAYS_TO_BOOK + 1 }, (_, days) => groups.get(`${key} ${day - days}`) ?? []);
    const [only, ...others] = sameKey.filter((found) => found.length > 0);
    if (!only) continue;
    const isDoubtful = others.length > 0 || only.length > 1;
    if (isDoubtful) for (const found of [only, ...others]) doubtful.add(found);
    const group = only[0]!;
    const mine = bookings.get(group);
    if (mine) mine.push(booking);
    else bookings.set(group, [booking]);
  }
  const certain = new Set([...groups.values()].filter((found) => !doubtful.has(found)).map(([group]) => group));
  return [...bookings].flatMap(([group, mine]) =>
    !certain.has(group) || mine.length > group.length ? [] : pairUp(group, mine),
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

function amountOf({ amountMinor, currency }: Booking): string {
  return `${amountMinor} ${currency}`;
}
