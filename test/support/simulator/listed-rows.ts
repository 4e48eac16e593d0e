import type { Entry, Ledger, Observation } from '../../../src/balances/engine/ledger.js';
import type { Member } from './household.js';
import { dayOf, isWithin } from './span.js';
import { DAY_MS, type Listing, type Movement } from './truth.js';

/** Movements so much older than the first sync are its history, which some banks deliver later. */
const RECENT_DAYS = 3;

/** A version of a row as a service sees it: from the first sync that brings it until the first that no longer does. */
export interface ListedRow {
  key: string;
  day: number;
  amountMinor: number;
  listedFrom: number;
  /** `Infinity`: never. */
  listedUntil: number;
  movements: readonly Movement[];
}

/** All that the feed ever lists at these moments. */
export function listRows({ account, bank }: Member, moments: readonly number[]): ListedRow[] {
  const rows: ListedRow[] = [];
  for (const listing of [...ownListings(account.movements), ...account.extraRows]) {
    const listedFrom = firstSync(listing);
    const listedUntil = moments.find((moment) => moment >= listing.until) ?? Infinity;
    if (listedFrom >= listedUntil) continue;
    const { key, day, movements } = listing;
    const amountMinor = isWithin(bank.figure.rowsReversed, listing.from) ? -listing.amountMinor : listing.amountMinor;
    rows.push({ key, day, amountMinor, listedFrom, listedUntil, movements });
  }
  return rows;

  function firstSync({ day, from }: Listing): number {
    const { gap, backfillAfterDays, windowDays } = bank;
    const start = moments[0]!;
    if (gap && !gap.delivered) {
      const gapFrom = start + gap.startsAfterDays * DAY_MS;
      if (from > gapFrom && from < gapFrom + gap.days * DAY_MS) return Infinity;
    }
    const isOld = day * DAY_MS < start - RECENT_DAYS * DAY_MS;
    const backfilled = isOld && backfillAfterDays !== null ? start + backfillAfterDays * DAY_MS + 1 : -Infinity;
    const seen = moments.find((moment) => moment >= Math.max(from, backfilled)) ?? Infinity;
    return seen > start && seen < Infinity && dayOf(seen) - day > windowDays ? Infinity : seen;
  }
}

function ownListings(movements: readonly Movement[]): Listing[] {
  return movements.flatMap((movement, index) => {
    const { day, amountMinor, listedAt, unlistedAt = Infinity, statedUntil = Infinity } = movement;
    if (listedAt === Infinity) return [];
    const until = Math.min(unlistedAt, statedUntil);
    return [{ key: movement.key ?? `row ${index}`, day, amountMinor, from: listedAt, until, movements: [movement] }];
  });
}

/** The ledger a service holds after a sync. */
export function ledgerAt(
  { account }: Member,
  rows: readonly ListedRow[],
  observations: readonly Observation[],
  moment: number,
): Ledger {
  const entries: Entry[] = [];
  for (const { key, day, amountMinor, listedFrom, listedUntil } of rows) {
    if (listedFrom > moment) continue;
    entries.push({ key, day, amountMinor, listedFrom, listedUntil: listedUntil <= moment ? listedUntil : null });
  }
  const until = dayOf(moment);
  return { accountType: account.type, until, completeOn: until, entries, observations };
}
