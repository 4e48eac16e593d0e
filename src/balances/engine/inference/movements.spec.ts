import { DAY_MS } from '../../../platform/time/calendar-date.js';
import type { Entry } from '../ledger.js';
import { toReports } from '../reports.js';
import { toMovements, withdrawnSince } from './movements.js';

const reports = toReports(
  [0, 1].map((day) => ({
    ...{ observedAt: day * DAY_MS, day, balanceMinor: 0, balanceDay: null, pendingMinor: [], holdings: null },
  })),
  1,
);

function endedAfterADay(count: number, amountOf: (index: number) => number): Entry[] {
  return Array.from({ length: count }, (_, index) => ({
    ...{ key: `ended ${index}`, day: 0, amountMinor: amountOf(index), listedFrom: 0, listedUntil: DAY_MS },
  }));
}

describe('toMovements', () => {
  it('150,000 withdrawn transactions do not exceed the argument limit of a function call', () => {
    const ended = endedAfterADay(150_000, (index) => -index - 1);
    expect(toMovements(ended, reports)).toHaveLength(2 * ended.length);
    expect(withdrawnSince(ended, 0)).toHaveLength(ended.length);
  });
});
