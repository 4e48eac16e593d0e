import { chartMarksOf, uncertainIn, valueMarksOf, whyOf } from './chart-views.js';

// $1,500. $200 come in; then securities gain $30 and lose $70; $5 vanish without a transaction.
const SERIES = {
  firstDay: '2026-03-02',
  startMinor: 150_000,
  balances: [170_000, 170_000, 173_000, 165_500],
  adjustments: [0, 0, 0, -500],
  marketMinor: -4_000,
  moneyInMinor: 20_000,
  moneyOutMinor: 0,
};

const days = (
  startDate: string,
  endDate: string,
  level: 'estimated' | 'unknown' = 'unknown',
  doubtMinor: number | null = null,
) => ({ userId: '', accountId: '', startDate, endDate, level, doubtMinor });

describe('chart of an account', () => {
  it('a chart line is dashed only on days of which nothing was reported', () => {
    const { dashed, doubts } = uncertainIn(SERIES, [
      days('2026-02-20', '2026-03-02'),
      days('2026-03-03', '2026-03-04', 'estimated'),
      days('2026-03-05', '2026-03-09'),
    ]);
    expect(dashed).toEqual([
      { from: 0, until: 0 },
      { from: 3, until: 3 },
    ]);
    expect(doubts).toEqual([]);
  });

  it('a chart line has a band where the amount in doubt is known and can be seen', () => {
    const { dashed, doubts } = uncertainIn(SERIES, [
      days('2026-02-20', '2026-03-03', 'estimated', -2_500),
      days('2026-03-04', '2026-03-04', 'estimated', 3),
      days('2026-03-05', '2026-03-09', 'estimated', 3_000),
    ]);
    expect(dashed).toEqual([]);
    expect(doubts).toEqual([
      { from: 0, until: 1, below: 2_500, above: 0 },
      { from: 3, until: 3, below: 0, above: 3_000 },
    ]);
  });

  it('the reasons of a change add up from the start to the end, and are payments and charges of a debt', () => {
    const amounts = (series: typeof SERIES, isDebt: boolean) =>
      whyOf(series, isDebt).map(({ label, minor }) => [label, minor]);
    expect(amounts(SERIES, false)).toEqual([
      ['Start', 150_000],
      ['Money in', 20_000],
      ['Money out', 0],
      ['Market', -4_000],
      ['Unexplained', -500],
      ['End', 165_500],
    ]);
    const card = { ...SERIES, startMinor: 4_000, balances: [5_000, 3_000], adjustments: [0, 0], marketMinor: 0 };
    expect(amounts({ ...card, moneyInMinor: 2_500, moneyOutMinor: 1_500 }, true)).toEqual([
      ['Start', 4_000],
      ['Charges', 1_500],
      ['Payments', -2_500],
      ['Market', 0],
      ['Unexplained', 0],
      ['End', 3_000],
    ]);
  });

  it('days with an adjustment are marked in the chart', () => {
    expect(chartMarksOf(SERIES, 'USD')).toEqual([{ index: 3, text: 'Adjustment −$5.00' }]);
  });

  it('each value that a person gave within the days of a chart is marked, the first one, too', () => {
    const marks = valueMarksOf(SERIES, 'USD', ['2026-03-05', '2026-03-02', '2026-03-01', '2026-03-06']);
    expect(marks).toEqual([
      { index: 3, text: 'Your value $1,655.00' },
      { index: 0, text: 'Your value $1,700.00' },
    ]);
  });
});
