import type { SnapshotTransaction } from '../../bank-provider/bank-provider.js';
import { type CalendarDate, dayNumber } from '../../time/calendar-date.js';

/** A pending transaction is posted within this many days, or not at all. */
const MAX_DAYS_TO_POST = 10;

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

/** A pending transaction and the posted one that superseded it, by their external ids. */
export interface PostedPair {
  pendingId: string;
  postedId: string;
}

type Posted = Pick<SnapshotTransaction, 'externalId' | 'date' | 'amountMinor' | 'currency'>;

/**
 * Finds the pending transactions that were posted under a new id. Most banks give no link. A pair must agree exactly in
 * amount and currency, the posting date must be 0 to 10 days after the pending one, and neither side may have a second
 * candidate: an ambiguous pair stays two rows. Pending transactions that are equal in everything do not compete,
 * because it does not matter which of them was posted. Those that are no longer listed come first, because a pending
 * transaction that is still listed was rarely posted. One that is no longer listed may be posted with another amount (a
 * tip, a pump that authorised more than was filled): then the merchant must agree.
 *
 * @param stored pending transactions that are stored
 * @param listed pending transactions of the answer
 * @param posted posted transactions of the answer that are not stored yet
 */
export function matchPendingToPosted(
  stored: readonly ComparedTransaction[],
  listed: readonly ComparedTransaction[],
  posted: readonly ComparedTransaction[],
): PostedPair[] {
  const listedIds = new Set(listed.map(({ externalId }) => externalId));
  const unlisted = stored.filter(({ externalId }) => !listedIds.has(externalId));
  const pairs = pairUnambiguous(unlisted, posted);
  pairs.push(...pairUnambiguous(listed, unmatched(posted, pairs)));
  const [vanished, fresh] = [unmatched(unlisted, pairs).filter(isNamed), unmatched(posted, pairs).filter(isNamed)];
  return [...pairs, ...pairUnambiguous(vanished, fresh, merchantOf)];
}

function unmatched(rows: readonly ComparedTransaction[], pairs: readonly PostedPair[]): ComparedTransaction[] {
  const matched = new Set(pairs.flatMap(({ pendingId, postedId }) => [pendingId, postedId]));
  return rows.filter(({ externalId }) => !matched.has(externalId));
}

/**
 * Finds the pending transactions, listed for the first time, that are stored as posted already. These must agree in the
 * merchant, too.
 *
 * @param posted stored posted transactions without a known pending one
 */
export function matchLatePending(
  pending: readonly ComparedTransaction[],
  posted: readonly ComparedTransaction[],
): PostedPair[] {
  return pairUnambiguous(pending, posted, (row) => JSON.stringify([row.amountMinor, row.currency, row.merchant]));
}

/**
 * Pairs each posted transaction with one of the only group of equal pending transactions that it fits: the same key,
 * and 0 to 10 days before it. Groups are found by key and day, since banks can list thousands of one amount.
 */
function pairUnambiguous<P extends Posted>(
  pending: readonly ComparedTransaction[],
  posted: readonly P[],
  keyOf: (row: ComparedTransaction | P) => string = amountOf,
): PostedPair[] {
  const groups = Map.groupBy(
    Map.groupBy(pending, contentOf).values(),
    ([first]) => `${keyOf(first!)} ${dayNumber(first!.date)}`,
  );
  const candidates = new Map<ComparedTransaction[], Posted[]>();
  const ambiguous = new Set<ComparedTransaction[][]>();
  for (const row of posted) {
    const [key, day] = [keyOf(row), dayNumber(row.date)];
    const sameKey = Array.from({ length: MAX_DAYS_TO_POST + 1 }, (_, days) => groups.get(`${key} ${day - days}`) ?? []);
    const [only, ...others] = sameKey.filter((found) => found.length > 0);
    if (!only) continue;
    const isAmbiguous = others.length > 0 || only.length > 1;
    if (isAmbiguous) for (const found of [only, ...others]) ambiguous.add(found);
    const group = only[0]!;
    const rows = candidates.get(group);
    if (rows) rows.push(row);
    else candidates.set(group, [row]);
  }
  const certain = new Set([...groups.values()].filter((found) => !ambiguous.has(found)).map(([group]) => group));
  return [...candidates].flatMap(([group, rows]) =>
    !certain.has(group) || rows.length > group.length ? [] : pairInOrder(group, rows),
  );
}

/**
 * Takes the last of equal pending transactions first: their ids count them, and the remaining ones keep their numbers.
 */
function pairInOrder(group: readonly ComparedTransaction[], posted: readonly Posted[]): PostedPair[] {
  return posted.map(({ externalId }, index) => ({
    pendingId: group[group.length - 1 - index]!.externalId,
    postedId: externalId,
  }));
}

/** The merchant, the currency and the direction: a refund does not match a purchase. */
function merchantOf({ amountMinor, currency, merchant, description }: ComparedTransaction): string {
  return JSON.stringify([Math.sign(amountMinor), currency, (merchant ?? description).toLowerCase()]);
}

function isNamed({ merchant, description }: ComparedTransaction): boolean {
  return (merchant ?? description).trim() !== '';
}

function amountOf({ amountMinor, currency }: Posted): string {
  return `${amountMinor} ${currency}`;
}
