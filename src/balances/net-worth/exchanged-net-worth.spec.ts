import fc from 'fast-check';
import { SystemClock } from '../../platform/time/clock.js';
import type { KnownRates } from './exchange-rates.js';
import { exchange } from './exchanged-net-worth.js';
import { NetWorthService } from './net-worth.service.js';

const DAY = '2026-02-04';
/** Units for one euro, as integers over 10,000. */
const PER_EURO: Record<string, bigint> = { USD: 10_800n, JPY: 1_680_300n, GBP: 8_721n };

function ratesInto(into: string): KnownRates {
  const perEuro = (currency: string) => (currency === 'EUR' ? 10_000n : PER_EURO[currency]);
  return {
    asOf: DAY,
    problem: null,
    rateOf: (from) => {
      const [times, by] = [perEuro(into), perEuro(from)];
      return times === undefined || by === undefined ? null : { times, by, date: DAY };
    },
  };
}

const sums = (currency: string, assets: number, liabilities = 0, below = 0) => ({
  currency,
  points: [{ date: DAY, assets, liabilities, below, above: 0 }],
});
const into = (currency: string, ...all: ReturnType<typeof sums>[]) => exchange(all, currency, ratesInto(currency));

describe('exchange', () => {
  it('sums of several currencies are added exactly and rounded once, half away from zero', () => {
    // 1.85… and 4.58… are 6.43… together; rounded one by one they would be 7.
    expect(into('EUR', sums('USD', 2), sums('GBP', 4)).points).toEqual([
      { date: DAY, assets: 6, liabilities: 0, below: 0, above: 0, ratesAsOf: DAY },
    ]);
    expect(into('EUR', sums('USD', 54, 54, 108)).points).toEqual([
      { date: DAY, assets: 50, liabilities: 50, below: 100, above: 0, ratesAsOf: DAY },
    ]);
    expect(into('USD', sums('EUR', -125)).points[0]).toMatchObject({ assets: -135 });
  });

  it('each currency has its own minor unit', () => {
    expect(into('EUR', sums('JPY', 168_030)).points[0]).toMatchObject({ assets: 100_000 });
    expect(into('JPY', sums('EUR', 100_000)).points[0]).toMatchObject({ assets: 168_030 });
  });

  it('sums in the wanted currency alone need no rates', () => {
    expect(exchange([sums('EUR', 500, 200), sums('USD', 0)], 'EUR', null)).toMatchObject({
      points: [{ date: DAY, assets: 500, liabilities: 200, below: 0, above: 0, ratesAsOf: null }],
      lacking: new Map(),
    });
  });

  it('a currency without a rate is left out and named with its days', () => {
    const { points, lacking } = into('EUR', sums('EUR', 500), sums('TWD', 90_000));
    expect(points).toEqual([{ date: DAY, assets: 500, liabilities: 0, below: 0, above: 0, ratesAsOf: null }]);
    expect([...lacking]).toEqual([['TWD', [DAY]]]);
  });

  it('the rates of a day are as old as the oldest of them', () => {
    const rates = ratesInto('EUR');
    const older: KnownRates = {
      ...rates,
      rateOf: (from, day) => ({ ...rates.rateOf(from, day)!, date: from === 'GBP' ? '2026-02-02' : DAY }),
    };
    expect(exchange([sums('USD', 1), sums('GBP', 1)], 'EUR', older).points[0]).toMatchObject({
      ratesAsOf: '2026-02-02',
    });
  });

  it('sums that are no safe integers in a currency are refused', () => {
    expect(() => into('JPY', sums('EUR', 9 * 10 ** 15))).toThrow('in must not be JPY, in which the sums are too large');
  });

  it('there and back, an amount differs by no more than what rounding takes', () => {
    const amount = fc.integer({ min: -(10 ** 11), max: 10 ** 11 });
    const thereAndBack = fc.property(amount, fc.constantFrom('USD', 'GBP'), (minor, currency) => {
      const there = into(currency, sums('EUR', minor)).points[0]!.assets;
      expect(Math.abs(into('EUR', sums(currency, there)).points[0]!.assets - minor)).toBeLessThanOrEqual(1);
    });
    fc.assert(thereAndBack);
  });
});

describe('net worth without a module of exchange rates', () => {
  it('the parameter in is refused with a sentence where no module has exchange rates', async () => {
    const service = new NetWorthService({} as never, {} as never, new SystemClock(), null);
    const caller = { userId: 'anna', timeZone: 'UTC' };
    await expect(service.report(caller, { in: 'EUR', granularity: 'day' })).rejects.toMatchObject({
      code: 'validation_failed',
      message: 'in needs a module with exchange rates, and none is installed',
    });
  });
});
