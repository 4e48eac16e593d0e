import { evenly, scaleOf, shortAmounts, shortDays, summaryOf } from './chart-line.js';

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

  it('the summary of a chart names each period without a report', () => {
    const dashed = [
      { from: 0, until: 2 },
      { from: 4, until: 4 },
    ];
    expect(summaryOf({ label: 'Balance', values, dashed }, days, 'USD')).toBe(
      'Balance from $1.00 on 1 Mar 2026 to $5.00 on 5 Mar 2026. Not reported: 1 Mar 2026 to 3 Mar 2026, 5 Mar 2026.',
    );
  });

  it('the summary of a chart counts periods without a report that are too many to name', () => {
    const many = Array.from({ length: 9 }, (_, n) => `2026-03-${String(n + 1).padStart(2, '0')}`);
    const dashed = [0, 2, 4, 6, 8].map((n) => ({ from: n, until: n }));
    expect(summaryOf({ label: 'Balance', values: many.map(() => 0), dashed }, many, 'USD')).toContain(
      'Not reported: 1 Mar 2026, 3 Mar 2026, 5 Mar 2026 and 2 more periods.',
    );
  });
});
