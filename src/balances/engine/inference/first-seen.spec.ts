import { DAY_MS } from '../../../platform/time/calendar-date.js';
import type { Entry, Ledger } from '../ledger.js';
import { derive } from '../derive-history.js';

const ROWS = 2_000;

/** Transactions all of one day, of a bank without dates, of which each report is the first to list half. */
function undated(amountOf: (row: number) => number): { ledger: Ledger; readsOfRows: () => number } {
  let read = 0;
  const entries = Array.from({ length: ROWS }, (_, row): Entry => ({
    ...{ key: String(row).padStart(5, '0'), day: 1 },
    get amountMinor() {
      read++;
      return amountOf(row);
    },
    ...{ listedFrom: (row < ROWS / 2 ? 1 : 2) * DAY_MS, listedUntil: null },
  }));
  const observations = [0, 1, 2, 3].map((day) => ({
    ...{
      observedAt: day * DAY_MS,
      day,
      balanceMinor: -day * 1_234,
      balanceDay: null,
      pendingMinor: [],
      holdings: null,
    },
  }));
  return {
    ledger: { accountType: 'depository', until: 3, completeOn: 3, entries, observations },
    readsOfRows: () => read,
  };
}

describe('indexFirstSeen', () => {
  it.each([
    ['with each amount twice', (row: number) => -(row % (ROWS / 2)) - 1],
    ['with different amounts', (row: number) => -row - 1],
    ['with one amount', () => -1_500],
  ])('equal transactions are found without scanning the whole day for each of 2,000 transactions %s', (_, amountOf) => {
    const { ledger, readsOfRows } = undated(amountOf);
    derive(ledger);
    expect(readsOfRows()).toBeLessThan(500 * ROWS);
  });
});
