import { type ListingPlan, matchListing } from '../../src/sync/ingest/matching/match-listing.js';
import { PASSES } from '../../src/sync/ingest/matching/passes.js';
import type { Listing, Row, StoredRow } from '../../src/sync/ingest/matching/pair-rows.js';

/** A transaction as it is stored. Its id is its external one. */
export function storedRow(row: Row, more: Partial<StoredRow> = {}): StoredRow {
  const never = { holdExternalId: null, missingSince: null, isWithdrawn: false };
  return { ...row, id: row.externalId, ...never, storedOn: row.date, firstSeenAt: '', createdAt: '', ...more };
}

/** What an answer at noon changes of stored transactions. */
export function planOf(stored: readonly StoredRow[], answer: Partial<Listing>, today = '2026-03-15'): ListingPlan {
  const listing = { transactions: [], covered: [{ from: '2026-02-01', until: today }], unreadableRows: 0, ...answer };
  return matchListing(stored, listing, PASSES, { seenAt: new Date(`${today}T12:00:00Z`), includePending: true });
}
