import type { CalendarDate } from '../../time/calendar-date.js';
import { pairNearestDays } from './pair-nearest-days.js';

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
  const nearest = pairNearestDays<PairableTransaction, PairableTransaction, PairableTransaction>(
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
