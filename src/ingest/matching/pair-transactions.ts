import { type CalendarDate, dayNumber } from '../../time/calendar-date.js';
import type { SnapshotTransaction } from '../../bank-provider/bank-provider.js';
import { type ComparedTransaction, contentOf } from './match-pending-to-posted.js';

/** Banks move the date of a transaction by a few days. */
export const MAX_DAYS_MOVED = 5;

export interface PairableTransaction {
  id: string;
  externalId: string;
  date: CalendarDate;
  amountMinor: number;
  currency: string;
}

/**
 * Pairs the transactions of two listings of one account: by id, else one to one by amount and nearest date. Equal purchases
 * keep their number.
 *
 * @returns the ids of kept transactions by those of arrived ones
 */
export function pairTransactions(
  kept: readonly PairableTransaction[],
  arrived: readonly PairableTransaction[],
): Map<string, string> {
  const pairs = new Map<string, string>();
  const byId = new Map(kept.map((row) => [row.externalId, row]));
  for (const row of arrived) {
    const same = byId.get(row.externalId);
    if (same && amountOf(same) === amountOf(row)) pairs.set(row.id, same.id);
  }
  const paired = new Set(pairs.values());
  const nearest = pairNearestDays(
    kept.filter(({ id }) => !paired.has(id)),
    arrived.filter(({ id }) => !pairs.has(id)),
    amountOf,
  );
  for (const [row, same] of nearest) pairs.set(row.id, same.id);
  return pairs;
}

function amountOf({ amountMinor, currency }: PairableTransaction): string {
  return `${amountMinor} ${currency}`;
}

/**
 * Pairs rows of equal content one to one by the nearest date, at most five days apart. Equal dates are paired first, so that
 * no row takes the exact match of another.
 *
 * @returns the rows of `known` by those of `listed`
 */
export function pairNearestDays<Row extends { date: CalendarDate }>(
  known: readonly Row[],
  listed: readonly Row[],
  contentOf: (row: Row) => string,
): Map<Row, Row> {
  const pairs = new Map<Row, Row>();
  const keyOf = (row: Row, day: number) => `${day} ${contentOf(row)}`;
  const unpaired = Map.groupBy(known, (row) => keyOf(row, dayNumber(row.date)));
  // Reversed, because `pop` is cheap and `shift` moves a long list.
  for (const group of unpaired.values()) group.reverse();
  for (let daysOff = 0; daysOff <= MAX_DAYS_MOVED; daysOff++) {
    for (const row of listed) {
      if (pairs.has(row)) continue;
      const day = dayNumber(row.date);
      const match = unpaired.get(keyOf(row, day - daysOff))?.pop() ?? unpaired.get(keyOf(row, day + daysOff))?.pop();
      if (match) pairs.set(row, match);
    }
  }
  return pairs;
}

/**
 * Finds stored transactions that the bank lists under another id. Some banks mint new ids for every answer. A stored
 * row that is missing and a row that was never seen, with equal content, are one transaction. They are matched one to
 * one, so that equal purchases keep their number.
 *
 * @param missing stored rows
 * @returns the rows of the answer, by the external id under which they are stored
 */
export function matchReissuedIds(
  missing: readonly SnapshotTransaction[],
  inserted: Iterable<SnapshotTransaction>,
): Map<string, SnapshotTransaction> {
  const reissued = new Map<string, SnapshotTransaction>();
  if (missing.length === 0) return reissued;
  const keyOf = (row: SnapshotTransaction) => `${row.pending} ${contentOf(row)}`;
  const byContent = Map.groupBy(missing, keyOf);
  for (const row of inserted) {
    const stored = byContent.get(keyOf(row))?.pop();
    if (stored) reissued.set(stored.externalId, row);
  }
  return reissued;
}

/**
 * Matches posted rows that are not stored to withdrawn transactions that come back: by their id, else one to one by
 * equal content, because some banks mint new ids.
 */
export function matchRestored<Withdrawn extends ComparedTransaction>(
  withdrawn: readonly Withdrawn[],
  inserted: Iterable<SnapshotTransaction>,
): Map<SnapshotTransaction, Withdrawn> {
  const restored = new Map<SnapshotTransaction, Withdrawn>();
  const byId = new Map(withdrawn.map((row) => [row.externalId, row]));
  const posted = [...inserted].filter(({ pending }) => !pending);
  for (const row of posted) {
    const same = byId.get(row.externalId);
    if (same) restored.set(row, same);
  }
  const used = new Set(restored.values());
  const byContent = Map.groupBy(
    withdrawn.filter((row) => !used.has(row)),
    contentOf,
  );
  for (const row of posted) {
    const same = restored.has(row) ? undefined : byContent.get(contentOf(row))?.shift();
    if (same) restored.set(row, same);
  }
  return restored;
}
