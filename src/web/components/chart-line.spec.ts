import fc from 'fast-check';
import { bandsOf, evenly, scaleOf, seenDoubts, shortAmounts, shortDays, summaryOf } from './chart-line.js';

describe('scaleOf', () => {
  it('the area under a line is filled only if its chart can begin at zero', () => {
    const isFilled = (...values: number[]) => scaleOf(values).ticks.includes(0);
    expect(isFilled(0, 500)).toBe(true);
    expect(isFilled(-100, 500)).toBe(true);
    expect(isFilled(250, 500)).toBe(true);
    expect(isFilled(-500, -250)).toBe(true);
    expect(isFilled(251, 500)).toBe(false);
    expect(isFilled(-500, -251)).toBe(false);
    expect(isFilled(0)).toBe(true);
  });

  it('a chart has about four lines with round amounts, also for one value and for one cent', () => {
    expect(scaleOf([2_513_456, 16_664_525]).ticks).toEqual([20_000_000, 15_000_000, 10_000_000, 5_000_000, 0]);
    expect(scaleOf([5, 6]).ticks).toEqual([6, 5]);
    expect(scaleOf([90_000, 90_000]).ticks).toEqual([100_000, 95_000, 90_000, 85_000, 80_000]);
    expect(scaleOf([0]).ticks).toEqual([100, 50, 0, -50, -100]);
  });
});

describe('the axes of a chart', () => {
  it('amounts are as short as they are all different', () => {
    expect(shortAmounts([20_000_000, 15_000_000, 0], 'USD')).toEqual(['$200K', '$150K', '$0']);
    expect(shortAmounts([130_000, 125_000, 120_000], 'USD')).toEqual(['$1.3K', '$1.25K', '$1.2K']);
    expect(shortAmounts([123_457, 123_456], 'USD')).toEqual(['$1,234.57', '$1,234.56']);
  });

  it('a few days are named, those of one year with it once', () => {
    const days = ['2025-12-30', '2025-12-31', '2026-01-01', '2026-01-02', '2026-01-03', '2026-01-04', '2026-01-05'];
    expect(shortDays(days)).toEqual(['30 Dec 2025', '1 Jan 2026', '2 Jan 2026', '4 Jan 2026', '5 Jan 2026']);
    expect(shortDays(days.slice(3))).toEqual(['2 Jan 2026', '3 Jan', '4 Jan', '5 Jan']);
  });
});

describe('the band of a chart', () => {
  const values = [100, 200, 300, 400, 500];

  it('the band of a chart is as high as the amount in doubt, and begins and ends at the line', () => {
    const doubts = [
      { from: 0, until: 1, below: 25, above: 0 },
      { from: 2, until: 2, below: 10, above: 20 },
    ];
    expect(bandsOf({ values, doubts })).toEqual([
      [
        { index: 0, low: 75, high: 100 },
        { index: 1, low: 175, high: 200 },
        { index: 2, low: 290, high: 320 },
        { index: 3, low: 400, high: 400 },
      ],
    ]);
  });

  it('a doubt of less than half a percent of the height of a chart is not drawn', () => {
    const [first, second] = [1, 2].map((below) => ({ from: 0, until: 0, below, above: 0 }));
    expect(seenDoubts([0, 400], [first!, second!])).toEqual([second]);
  });

  it('the band of a chart always has the line in it', () => {
    const amounts = fc.array(fc.record({ below: fc.nat(1_000), above: fc.nat(1_000) }), { minLength: 5, maxLength: 5 });
    const hasLine = fc.property(fc.array(fc.integer(), { minLength: 5, maxLength: 5 }), amounts, (values, all) => {
      const doubts = all.map((amount, at) => ({ from: at, until: at, ...amount }));
      for (const { index, low, high } of bandsOf({ values, doubts }).flat()) {
        expect(low).toBeLessThanOrEqual(values[index]!);
        expect(high).toBeGreaterThanOrEqual(values[index]!);
      }
    });
    fc.assert(hasLine);
  });
});

describe('evenly', () => {
  it('a few points are all kept', () => expect(evenly(3, 5)).toEqual([0, 1, 2]));

  it('many points are thinned out evenly, and the first and the last are kept', () => {
    expect(evenly(11, 3)).toEqual([0, 5, 10]);
    expect(evenly(366, 56)).toHaveLength(56);
    expect(new Set(evenly(366, 56)).size).toBe(56);
  });

  it('no points give none, and one point gives one', () => expect([evenly(0, 5), evenly(1, 5)]).toEqual([[], [0]]));
});

describe('summaryOf', () => {
  const days = ['2026-03-01', '2026-03-02', '2026-03-03', '2026-03-04', '2026-03-05'];
  const values = [100, 200, 300, 400, 500];

  it('the summary of a chart says whether days were not reported or are estimated', () => {
    const line = { label: 'Balance', values, dashed: [], doubts: [] };
    const from = 'Balance from $1.00 on 1 Mar 2026 to $5.00 on 5 Mar 2026.';
    expect(summaryOf(line, days, 'USD')).toBe(from);
    const dashed = [{ from: 0, until: 2 }];
    const doubts = [{ from: 3, until: 3, below: 25, above: 0 }];
    expect(summaryOf({ ...line, dashed, doubts }, days, 'USD')).toBe(
      `${from} Some days were not reported. Some days are estimated.`,
    );
  });
});
