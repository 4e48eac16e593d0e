import { type CalendarDate, dayNumber } from '../../time/calendar-date.js';
import { groupedBy } from './grouped-by.js';

/** A bank that lists an account anew may date a transaction a few days off. */
const MAX_DAYS_OFF = 5;

export interface PairableTransaction {
  id: string;
  externalId: string;
  date: CalendarDate;
  amountMinor: number;
  currency: string;
}

/**
 * Which transactions of two listings of one account are the same: by id, else one for one by amount and the nearest
 * day, so that two equal coffees stay two.
 *
 * @returns by the id of the arrived one the id of the kept one
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
  const taken = new Set(pairs.values());
  const left = groupedBy(
    kept.filter(({ id }) => !taken.has(id)),
    (row) => groupOf(row, dayNumber(row.date)),
  );
  // Taken from the end, in their order: to take the first of a long list moves all the others.
  for (const group of left.values()) group.reverse();
  // Exact days first: a neighbour must not take away what belongs to another.
  for (let daysOff = 0; daysOff <= MAX_DAYS_OFF; daysOff++) {
    for (const row of arrived.filter(({ id }) => !pairs.has(id))) {
      const day = dayNumber(row.date);
      const match = left.get(groupOf(row, day - daysOff))?.pop() ?? left.get(groupOf(row, day + daysOff))?.pop();
      if (match) pairs.set(row.id, match.id);
    }
  }
  return pairs;
}

function amountOf({ amountMinor, currency }: PairableTransaction): string {
  return `${amountMinor} ${currency}`;
}

function groupOf(row: PairableTransaction, day: number): string {
  return `${amountOf(row)} ${day}`;
}
