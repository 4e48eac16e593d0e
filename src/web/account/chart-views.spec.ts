import type { AccountSeries } from '../../balances/record/account-series.js';
import { linesOf, marketText, marksOf, viewsOf } from './chart-views.js';

// $1,000 of cash and $500 of a fund. $200 come in; $150 of it buy more of the fund; the fund gains $30 and loses $70;
// $5 vanish without a transaction.
const SERIES: AccountSeries = {
  firstDay: '2026-03-02',
  cash: [120_000, 105_000, 105_000, 104_500],
  nonCash: [50_000, 65_000, 68_000, 61_000],
  flows: [20_000, 0, 0, 0],
  market: [0, 0, 3_000, -7_000],
  adjustments: [0, 0, 0, -500],
};

describe('what the chart of an account can show', () => {
  it('is cash beside holdings, and the market beside the flows, where there are both', () => {
    expect(viewsOf(SERIES).map(({ name }) => name)).toEqual(['balance', 'parts', 'market']);
    const still = { ...SERIES, nonCash: [0, 0, 0, 0], market: [0, 0, 0, 0] };
    expect(viewsOf(still).map(({ name }) => name)).toEqual(['balance']);
  });

  it('adds up what the market did and what came in, from the beginning of the range', () => {
    expect(linesOf(SERIES, 'market', [])).toMatchObject([
      { label: 'What the market did', values: [0, 0, 3_000, -4_000], change: true },
      { label: 'Money in and out', values: [20_000, 20_000, 20_000, 20_000], change: true },
    ]);
  });

  it('tells what both lines need to end at the balance: 1,500 + 200 − 40 − 5 = 1,655', () => {
    expect(marketText(SERIES, 'USD')).toBe(
      'Both lines count from $1,500.00 at the start of 2 Mar 2026; adjustments of −$5.00 are in neither.',
    );
    expect(marketText({ ...SERIES, adjustments: [0, 0, 0, 0] }, 'USD')).toBe(
      'Both lines count from $1,500.00 at the start of 2 Mar 2026.',
    );
  });

  it('marks the days that no transaction explains', () => {
    expect(marksOf(SERIES, 'USD')).toEqual([{ index: 3, text: 'Adjustment −$5.00' }]);
  });
});
