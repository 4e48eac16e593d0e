import fc from 'fast-check';
import { euroRate } from './euro-rates.js';
import type { DayOfRates } from './read-rates.js';

const DAYS: DayOfRates[] = [
  { date: '2022-03-01', rates: { USD: '1.1162', RUB: '117.2010', HRK: '7.5650' } },
  { date: '2022-12-30', rates: { USD: '1.0666', HRK: '7.5365', GBP: '0.88693' } },
  { date: '2023-01-02', rates: { USD: '1.0683' } },
  { date: '2023-01-03', rates: { USD: '1.0545', GBP: '0.88255' } },
];

const rate = (from: string, into: string, day: string, days = DAYS) => {
  const found = euroRate(days, from, into, day);
  return found && [`${found.times}/${found.by}`, found.date];
};

describe('euroRate', () => {
  it('a rate is that of its day, exact and from the same row for both currencies', () => {
    expect(rate('USD', 'EUR', '2023-01-03')).toEqual(['10000/10545', '2023-01-03']);
    expect(rate('EUR', 'USD', '2023-01-03')).toEqual(['10545/10000', '2023-01-03']);
    expect(rate('USD', 'GBP', '2023-01-03')).toEqual(['88255/105450', '2023-01-03']);
  });

  it('on a day without rates those of the last day before it count, for at most seven days', () => {
    expect(rate('USD', 'EUR', '2023-01-01')).toEqual(['10000/10666', '2022-12-30']);
    expect(rate('USD', 'EUR', '2023-01-10')).toEqual(['10000/10545', '2023-01-03']);
    expect(rate('USD', 'EUR', '2023-01-11')).toBeNull();
    expect(rate('USD', 'EUR', '2022-02-28')).toBeNull();
  });

  it('where one currency has no rate on a day, both are taken from the last day that has both', () => {
    expect(rate('USD', 'GBP', '2023-01-02')).toEqual(['88693/106660', '2022-12-30']);
    expect(rate('GBP', 'EUR', '2023-01-02')).toEqual(['100000/88693', '2022-12-30']);
  });

  it('a currency that is no longer published has no rate, and is not carried on', () => {
    expect(rate('RUB', 'EUR', '2022-03-08')).toEqual(['10000/1172010', '2022-03-01']);
    expect(rate('RUB', 'EUR', '2022-03-09')).toBeNull();
    expect(rate('TWD', 'EUR', '2023-01-03')).toBeNull();
    expect(rate('EUR', 'TWD', '2023-01-03')).toBeNull();
  });

  it('a currency that the euro has replaced keeps its fixed rate for ever, and the published one before', () => {
    expect(rate('HRK', 'EUR', '2022-12-31')).toEqual(['10000/75365', '2022-12-30']);
    expect(rate('HRK', 'EUR', '2023-01-01')).toEqual(['100000/753450', null]);
    expect(rate('HRK', 'EUR', '2039-01-01', [])).toEqual(['100000/753450', null]);
    expect(rate('BGN', 'HRK', '2039-01-01', [])).toEqual(['753450/195583', null]);
    expect(rate('HRK', 'USD', '2023-01-03')).toEqual(['105450/753450', '2023-01-03']);
    expect(rate('BGN', 'EUR', '2025-12-31', [])).toBeNull();
  });

  it('going by another currency of the same day is the same as going straight, and back again nothing is lost', () => {
    const decimal = fc
      .tuple(fc.integer({ min: 1, max: 9_999_999 }), fc.integer({ min: 0, max: 6 }))
      .map(([figures, decimals]) => (figures / 10 ** decimals).toFixed(decimals));
    const row = fc.record({ USD: decimal, GBP: decimal, JPY: decimal });
    const code = fc.constantFrom('EUR', 'USD', 'GBP', 'JPY', 'BGN');
    const straight = fc.property(row, code, code, code, (rates, from, by, into) => {
      const get = (a: string, b: string) => euroRate([{ date: '2026-02-04', rates }], a, b, '2026-02-04')!;
      const [first, second, whole, back] = [get(from, by), get(by, into), get(from, into), get(into, from)];
      expect(first.times * second.times * whole.by).toBe(first.by * second.by * whole.times);
      expect(whole.times * back.times).toBe(whole.by * back.by);
    });
    fc.assert(straight);
  });
});
