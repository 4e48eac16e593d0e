import { jest } from '@jest/globals';
import { DAY_MS } from '../../platform/time/calendar-date.js';
import { deriveInSteps } from './derive-history.js';
import { indexFirstSeen } from './inference/first-seen.js';
import type { Ledger, Observation } from './ledger.js';
import { toReports } from './reports.js';
import { TradeEntries } from './trade-entries.js';

const TRADES = 1_000;

/** A portfolio in which all positions are bought in a day, each of them listed by an entry. */
function busyDay(): Ledger {
  const report = (day: number, quantity: number): Observation => ({
    ...{ observedAt: day * DAY_MS, day, balanceMinor: 10_000_000, balanceDay: null, pendingMinor: [] },
    holdings: Array.from({ length: TRADES }, (_, key) => ({
      ...{ key: String(key), quantity, valueMinor: quantity * (key + 1) },
    })),
  });
  const entries = Array.from({ length: TRADES }, (_, key) => ({
    ...{ key: String(key), day: 1, amountMinor: -key - 1, listedFrom: DAY_MS, listedUntil: null },
  }));
  return { accountType: 'investment', until: 1, completeOn: 1, entries, observations: [report(0, 0), report(1, 1)] };
}

describe('TradeEntries', () => {
  const { entries, observations, until } = busyDay();

  it('matching the trades of a day to their transactions does not compare each trade with every transaction', () => {
    const reports = toReports(observations, until);
    const trades = new TradeEntries(indexFirstSeen(entries, reports), reports);
    const abs = jest.spyOn(Math, 'abs');
    const found = entries.map(({ amountMinor }) => trades.take([-amountMinor], 1, 0, 1).booking);
    const compared = abs.mock.calls.length;
    abs.mockRestore();

    expect(found).toEqual(entries.map(({ day, amountMinor }) => ({ day, amountMinor })));
    expect(compared).toBeLessThan(50 * TRADES);
  });

  it('the trades of one day are derived in several steps', () => {
    const steps = deriveInSteps(busyDay());
    let count = 0;
    while (!steps.next().done) count++;
    expect(count).toBeGreaterThan(TRADES / 100);
  });
});
