import { DAY_MS } from '../../../platform/time/calendar-date.js';
import type { Entry } from '../ledger.js';
import { toReports } from '../reports.js';
import { toMovements, withdrawnSince } from './movements.js';

const PARTS = 40;
const WHOLES = 200;

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
  it('looking for transactions that replace another one does not add up all sums again for each amount', () => {
    let read = 0;
    const counted = (entry: Entry): Entry => ({
      ...entry,
      get amountMinor() {
        read++;
        return entry.amountMinor;
      },
    });
    const begun = Array.from({ length: PARTS }, (_, index): Entry => ({
      ...{ key: `begun ${index}`, day: 0, amountMinor: -(2 ** (index % 10)) * 1_000 },
      ...{ listedFrom: DAY_MS, listedUntil: null },
    }));
    const entries = [...endedAfterADay(WHOLES, (index) => index + 1), ...begun];
    // None is the sum of others.
    expect(toMovements(entries.map(counted), reports)).toHaveLength(2 * WHOLES + PARTS);
    expect(read).toBeLessThan(10 * (WHOLES + PARTS) * PARTS);
  });

  it('150,000 withdrawn transactions do not exceed the argument limit of a function call', () => {
    const ended = endedAfterADay(150_000, (index) => -index - 1);
    expect(toMovements(ended, reports)).toHaveLength(2 * ended.length);
    expect(withdrawnSince(ended, 0)).toHaveLength(ended.length);
  });
});
