import { randomUUID } from 'node:crypto';
import type { VersionEndReason } from '../../../balances/transactions/transaction-version.entity.js';
import { addDays, DAY_MS, dateInTimeZone } from '../../../platform/time/calendar-date.js';
import { firstDayOf, type Listing, type Pass, type Row, type StoredRow, wholeFrom } from './pair-rows.js';
import { hasSameContent, type Outcome, type State } from './passes.js';
import { type ListingCounts, RecognizedRows } from './recognized-rows.js';
import { ownIdFor, undoRenumbering } from './undo-renumbering.js';

/** A pending transaction expires when complete answers have not listed it for so long. */
const EXPIRY_MS = 3 * DAY_MS;
/** The longest that a bank keeps a transaction pending. */
export const MAX_PENDING_DAYS = 61;

interface Context {
  seenAt: Date;
  /** Whether the person wants pending transactions. */
  includePending: boolean;
}

/** A row to insert, or the new content of a stored one. */
export interface WrittenRow {
  id: string;
  row: Row;
  /** The withdrawn transaction that it restores; `null`: none. */
  restored: StoredRow | null;
  /** Of a new row: the id that it had while pending. */
  holdExternalId: string | null;
}

/** What an answer changes of the stored transactions of an account. All keys are our ids. */
export interface ListingPlan {
  written: WrittenRow[];
  added: number;
  updated: number;
  /** The posted transactions of which a version ends. */
  ended: Map<string, VersionEndReason>;
  /** Those of them that are no longer listed, with the ones that take their places. */
  withdrawn: Map<string, string | null>;
  /** The pending transactions that have expired, or that the person does not want. */
  expired: string[];
  /** New external ids. */
  externalIds: Map<string, string>;
  /** The ids that posted transactions had while pending, so that the pending ones are not added again. */
  holdIds: Map<string, string>;
  /** The pending transactions that are missing from now on, and those that no longer are. */
  missing: string[];
  found: string[];
  /** Whether none will expire. */
  isSettled: boolean;
  /** What is missing, if that is too much to withdraw any. */
  lacking: ListingCounts | null;
}

/**
 * Recognizes stored transactions in an answer, and plans what becomes of them.
 *
 * @param stored those of the days that the answer lists, those under its ids, and all that are pending
 */
export function matchListing(
  stored: readonly StoredRow[],
  answer: Listing,
  passes: readonly Pass<State, Outcome>[],
  context: Context,
): ListingPlan {
  const wanted = answer.transactions.filter(({ pending }) => context.includePending || !pending);
  const listing = { ...answer, transactions: wanted };
  const renumbered = findRenumbered(stored, listing);
  const transactions = wanted.map((row) => renumbered.get(row) ?? row);
  const today = dateInTimeZone(context.seenAt, 'UTC');
  const rows = new RecognizedRows(stored, { ...answer, transactions }, firstDayOf(listing), today);
  for (const pass of passes) rows.recognize(pass);
  rows.judge();
  const plan = planRows(rows, renumbered.size > 0);
  planMissing(rows, plan);
  planPending(rows, plan, context);
  return plan;
}

/** The rows of an answer under the ids under which they are stored; empty: the bank does not number its rows. */
function findRenumbered(stored: readonly StoredRow[], listing: Listing): Map<Row, Row> {
  // What says of ids that they are gone has lasting ones.
  if (listing.removed) return new Map();
  const since = firstDayOf(listing);
  const isSame = (one: Row, other: Row | undefined) => other !== undefined && hasSameContent(one, other);
  const storedById = new Map(stored.flatMap((row) => (row.isWithdrawn ? [] : [[row.externalId, row]])));
  const unmatched = listing.transactions.filter((row) => !isSame(row, storedById.get(row.externalId)));
  if (unmatched.length === 0) return new Map();
  const listedById = new Map(listing.transactions.map((row) => [row.externalId, row]));
  const candidates = [...storedById.values()].filter(
    (row) => (row.date >= since || listedById.has(row.externalId)) && !isSame(row, listedById.get(row.externalId)),
  );
  return undoRenumbering(unmatched, candidates);
}

/** Plans what is written of the listed rows. */
function planRows(rows: RecognizedRows, isRenumbered: boolean): ListingPlan {
  const plan: ListingPlan = {
    written: [],
    added: 0,
    updated: 0,
    ended: new Map(),
    withdrawn: new Map(),
    expired: [],
    externalIds: new Map(),
    holdIds: new Map(),
    missing: [],
    found: [],
    isSettled: rows.lacking === null,
    lacking: rows.lacking,
  };
  // The bank may list another pending transaction at the same place.
  const holdIdOf = ({ externalId }: Row) => (isRenumbered ? ownIdFor(externalId) : externalId);
  for (const [known, posted] of rows.late) plan.holdIds.set(posted.id, holdIdOf(known));
  for (const row of rows.written) {
    const { is, known } = rows.pairOf(row) ?? {};
    const hold = is === 'booked' ? holdIdOf(known!) : null;
    const stored = rows.storedAs(row);
    if (!stored) {
      const restored = is === 'restored' ? (known as StoredRow) : null;
      const id = restored?.id ?? randomUUID();
      plan.written.push({ id, row: dated(row, restored), restored, holdExternalId: hold });
      plan.added++;
      if (is === 'superseded') plan.withdrawn.set((known as StoredRow).id, id);
      continue;
    }
    if (hold !== null) plan.holdIds.set(stored.id, hold);
    if (stored.externalId !== row.externalId) plan.externalIds.set(stored.id, row.externalId);
    const content = dated(row, stored);
    if (hasSameContent(content, stored)) continue;
    plan.written.push({ id: stored.id, row: content, restored: null, holdExternalId: null });
    plan.updated++;
    if (!stored.pending) plan.ended.set(stored.id, is === 'renamed' || is === 'reissued' ? 'reissued' : 'changed');
  }
  return plan;
}

/** A guessed date never replaces a stored one. */
function dated(row: Row, stored: StoredRow | null): Row {
  return stored && row.dateIsGuess ? { ...row, date: stored.date } : row;
}

/** Plans what becomes of the posted transactions that the answer withdraws. */
function planMissing(rows: RecognizedRows, plan: ListingPlan): void {
  for (const row of rows.withdrawable) {
    const { id } = row;
    if (rows.outcomeOf(row) === 'reissued') continue;
    plan.ended.set(id, 'withdrawn');
    plan.withdrawn.set(id, plan.withdrawn.get(id) ?? null);
  }
}

/**
 * Plans what becomes of the stored pending transactions: those that whole lists have not listed for long enough expire.
 * Those before the covered days stay, because the answer says nothing about them, but for those that are too old to be
 * pending: no answer is asked to cover them. An answer with rows that could not be read says only which are listed. Changes
 * name those that are gone.
 */
function planPending(rows: RecognizedRows, plan: ListingPlan, { seenAt, includePending }: Context): void {
  const from = rows.answer.unreadableRows === 0 ? wholeFrom(rows.answer) : null;
  const earliestPendingDate = addDays(dateInTimeZone(seenAt, 'UTC'), -MAX_PENDING_DAYS);
  for (const row of rows.stored) {
    const { id, date, missingSince } = row;
    if (!row.pending || plan.holdIds.has(id)) continue;
    if (!includePending) plan.expired.push(id);
    else if (rows.isListed(row)) {
      if (missingSince !== null) plan.found.push(id);
    } else if (rows.isRemoved(row)) plan.expired.push(id);
    else if (from !== null && missingSince !== null && missingSince <= seenAt.getTime() - EXPIRY_MS) {
      plan.expired.push(id);
    } else {
      const isMissing = from !== null && (date >= from || date < earliestPendingDate);
      if (missingSince === null && isMissing) plan.missing.push(id);
      if (missingSince !== null || isMissing) plan.isSettled = false;
    }
  }
}
