import type { AccountSeries } from '../../balances/record/account-series.js';
import { piecesOf } from '../components/chart-line.js';
import { linesOf, marketText, chartMarksOf, unreportedIn, viewsOf, whyOf } from './chart-views.js';

// $1,000 of cash and $500 of a fund. $200 come in; $150 of it buy more of the fund; the fund gains $30 and loses $70;
// $5 vanish without a transaction.
const SERIES: AccountSeries = {
  firstDay: '2026-03-02',
  cash: [120_000, 105_000, 105_000, 104_500],
  nonCash: [50_000, 65_000, 68_000, 61_000],
  flows: [20_000, 0, 0, 0],
  market: [0, 0, 3_000, -7_000],
  adjustments: [0, 0, 0, -500],
  moneyIn: 20_000,
  moneyOut: 0,
};

describe('views of an account chart', () => {
  it('an account chart has views for cash and holdings and for the market only if the account has holdings', () => {
    expect(viewsOf(SERIES).map(({ name }) => name)).toEqual(['balance', 'parts', 'market']);
    const still = { ...SERIES, nonCash: [0, 0, 0, 0], market: [0, 0, 0, 0] };
    expect(viewsOf(still).map(({ name }) => name)).toEqual(['balance']);
  });

  it('the market view sums up the market changes and the flows since the start of the range', () => {
    expect(linesOf(SERIES, 'market', [])).toMatchObject([
      { label: 'Market', values: [0, 0, 3_000, -4_000], change: true },
      { label: 'Money in and out', values: [20_000, 20_000, 20_000, 20_000], change: true },
    ]);
  });

  it('the text of the market view names the amounts that add up to the balance: 1,500 + 200 − 40 − 5 = 1,655', () => {
    expect(marketText(SERIES, 'USD')).toBe(
      'Both lines count from $1,500.00 at the start of 2 Mar 2026; adjustments of −$5.00 are in neither.',
    );
    expect(marketText({ ...SERIES, adjustments: [0, 0, 0, 0] }, 'USD')).toBe(
      'Both lines count from $1,500.00 at the start of 2 Mar 2026.',
    );
  });

  it('a chart line is dashed only on days of which nothing was reported, and between them and their neighbours', () => {
    const days = (startDate: string, endDate: string, level: 'estimated' | 'unknown' = 'unknown') => ({
      userId: '',
      accountId: '',
      startDate,
      endDate,
      level,
      doubtMinor: null,
    });
    const dashed = unreportedIn(SERIES, [
      days('2026-02-20', '2026-03-02'),
      days('2026-03-03', '2026-03-04', 'estimated'),
      days('2026-03-05', '2026-03-09'),
    ]);
    expect(dashed).toEqual([
      { from: 0, until: 0 },
      { from: 3, until: 3 },
    ]);
    for (const view of ['parts', 'market'] as const) {
      expect(linesOf(SERIES, view, [], dashed).map((line) => line.dashed)).toEqual([dashed, dashed]);
    }
    const [line] = linesOf(SERIES, 'balance', [1, 2, 3, 4], dashed);
    expect(piecesOf(line!)).toEqual([
      { from: 0, until: 1, isDashed: true },
      { from: 1, until: 2, isDashed: false },
      { from: 2, until: 3, isDashed: true },
    ]);
    expect(piecesOf({ label: '', values: [1, 2, 3] })).toEqual([{ from: 0, until: 2, isDashed: false }]);
    expect(piecesOf({ label: '', values: [1] })).toEqual([{ from: 0, until: 0, isDashed: false }]);
  });

  it('the reasons of a change add up from the start to the end, and are payments and charges of a debt', () => {
    const amounts = (isDebt: boolean) => whyOf(SERIES, isDebt).map(({ label, minor }) => [label, minor]);
    expect(amounts(false)).toEqual([
      ['Start', 150_000],
      ['Money in', 20_000],
      ['Money out', 0],
      ['Market', -4_000],
      ['Unexplained', -500],
      ['End', 165_500],
    ]);
    const card = {
      ...SERIES,
      cash: [5_000, 3_000],
      nonCash: [0, 0],
      flows: [1_000, -2_000],
      market: [0],
      adjustments: [0],
    };
    expect(whyOf({ ...card, moneyIn: 2_500, moneyOut: 1_500 }, true).map(({ label, minor }) => [label, minor])).toEqual(
      [
        ['Start', 4_000],
        ['Charges', 1_500],
        ['Payments', -2_500],
        ['Market', 0],
        ['Unexplained', 0],
        ['End', 3_000],
      ],
    );
  });

  it('days with an adjustment are marked in the chart', () => {
    expect(chartMarksOf(SERIES, 'USD')).toEqual([{ index: 3, text: 'Adjustment −$5.00' }]);
  });
});
