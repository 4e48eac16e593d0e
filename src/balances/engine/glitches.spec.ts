import { jest } from '@jest/globals';
import { fillPrices } from './glitches.js';
import { type Portfolio, toPortfolio } from './positions.js';

const KEYS = 200;
const UNPRICED = 4;

/** A week in which all prices are missing on some days, and those with an even number return a day sooner. */
function weekWithoutPrices(): (Portfolio | null)[] {
  const priced = (isPriced: (key: number) => boolean) =>
    toPortfolio(
      Array.from({ length: KEYS }, (_, key) => ({
        ...{ key: String(key), quantity: 2, valueMinor: isPriced(key) ? 2 * key + 2 : 0 },
      })),
    );
  const none = Array.from({ length: UNPRICED }, () => priced(() => false));
  return [priced(() => true), ...none, priced((key) => key % 2 === 0), priced(() => true)];
}

describe('fillPrices', () => {
  it('missing prices that return are filled in without copying all positions once per position', () => {
    const snapshots = weekWithoutPrices();
    const [before] = snapshots;
    const set = jest.spyOn(Map.prototype, 'set');
    const doubtful = fillPrices(snapshots, Float64Array.from(snapshots.keys()));
    const copied = set.mock.calls.length;
    set.mockRestore();

    expect(snapshots).toEqual(snapshots.map(() => before));
    expect([...doubtful].sort()).toEqual([1, 2, 3, 4, 5]);
    expect(copied).toBeLessThan(10 * KEYS * snapshots.length);
  });
});
