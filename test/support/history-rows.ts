import { BALANCE_COLUMNS, type BalanceHistory } from '../../src/balances/engine/history.js';
import type { Entry } from '../../src/balances/engine/ledger.js';

/** The rows of which something does not hold. A matcher for every row would cost most of the time. */
export function rowsThatBreak({ length }: BalanceHistory, holds: (row: number) => boolean): number[] {
  return Array.from({ length }, (_, row) => row).filter((row) => !holds(row));
}

/** Row by day, every column of it: what is compared when rows have to stay the same. */
export function byDay({ firstDay, length, columns }: BalanceHistory): Map<number, string> {
  const text = (row: number) => BALANCE_COLUMNS.map((name) => `${name} ${columns[name][row]}`).join(' ');
  return new Map(Array.from({ length }, (_, row) => [firstDay + row, text(row)]));
}

export function daysBefore(history: BalanceHistory, day: number): Map<number, string> {
  return new Map([...byDay(history)].filter(([key]) => key < day));
}

/** What the entries of one day that are still listed brought in and took out. */
export function flowsOf(entries: readonly Entry[], day: number): [inflows: number, outflows: number] {
  const amounts = entries
    .filter((entry) => entry.day === day && entry.listedUntil === null)
    .map(({ amountMinor }) => amountMinor);
  const sum = (part: number[]) => part.reduce((total, amount) => total + Math.abs(amount), 0);
  return [sum(amounts.filter((amount) => amount > 0)), sum(amounts.filter((amount) => amount < 0))];
}
