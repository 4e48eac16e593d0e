import { type CalendarDate, dayNumber } from '../../time/calendar-date.js';

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
  const taken = new Set<string>();
  const pair = (a: PairableTransaction, k: PairableTransaction) => {
    pairs.set(a.id, k.id);
    taken.add(k.id);
  };
  const byId = new Map(kept.map((row) => [row.externalId, row]));
  for (const row of arrived) {
    const same = byId.get(row.externalId);
    if (same && amountOf(same) === amountOf(row)) pair(row, same);
  }
  const keptByAmount = grouped(kept.filter(({ id }) => !taken.has(id)));
  const rest = arrived.filter(({ id }) => !pairs.has(id));
  // Exact days first: a neighbour must not take away what belongs to another.
  for (let daysOff = 0; daysOff <= MAX_DAYS_OFF; daysOff++) {
    for (const row of rest.filter(({ id }) => !pairs.has(id))) {
      const candidates = keptByAmount.get(amountOf(row)) ?? [];
      const match = candidates.find(({ id, date }) => !taken.has(id) && daysApart(date, row.date) === daysOff);
      if (match) pair(row, match);
    }
  }
  return pairs;
}

function amountOf({ amountMinor, currency }: PairableTransaction): string {
  return `${amountMinor} ${currency}`;
}

function grouped(rows: readonly PairableTransaction[]): Map<string, PairableTransaction[]> {
  const groups = new Map<string, PairableTransaction[]>();
  for (const row of rows) {
    const group = groups.get(amountOf(row));
    if (group) group.push(row);
    else groups.set(amountOf(row), [row]);
  }
  return groups;
}

function daysApart(a: CalendarDate, b: CalendarDate): number {
  return Math.abs(dayNumber(a) - dayNumber(b));
}
