import { evenly, showsZero, summaryOf } from './chart-line.js';

const filled = (...values: number[]) => showsZero([{ label: 'Balance', values, fill: true }]);

describe('showsZero', () => {
  it('the area under a line is filled only if its chart can begin at zero', () => {
    expect(filled(0, 500)).toBe(true);
    expect(filled(-100, 500)).toBe(true);
    expect(filled(250, 500)).toBe(true);
    expect(filled(-500, -250)).toBe(true);
    expect(filled(251, 500)).toBe(false);
    expect(filled(-500, -251)).toBe(false);
    expect(filled(0)).toBe(true);
  });

  it('the area under a line is not filled unless the line asks for it', () => {
    expect(showsZero([{ label: 'Cash', values: [0, 500] }])).toBe(false);
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

  it('the summary of a chart gives the first and the last value of every line', () => {
    const lines = [
      { label: 'Market', values: [0, 1, 2, 3, -400], change: true },
      { label: 'Money in and out', values, change: true },
    ];
    expect(summaryOf(lines, days, 'USD')).toBe(
      'Market from $0.00 on 1 Mar 2026 to −$4.00 on 5 Mar 2026. ' +
        'Money in and out from +$1.00 on 1 Mar 2026 to +$5.00 on 5 Mar 2026.',
    );
  });

  it('the summary of a chart names each period without a report once', () => {
    const dashed = [
      { from: 0, until: 1 },
      { from: 1, until: 2 },
      { from: 4, until: 4 },
    ];
    expect(summaryOf([{ label: 'Balance', values, dashed }], days, 'USD')).toBe(
      'Balance from $1.00 on 1 Mar 2026 to $5.00 on 5 Mar 2026. Not reported: 1 Mar 2026 to 3 Mar 2026, 5 Mar 2026.',
    );
  });

  it('the summary of a chart counts periods without a report that are too many to name', () => {
    const many = Array.from({ length: 9 }, (_, n) => `2026-03-${String(n + 1).padStart(2, '0')}`);
    const dashed = [0, 2, 4, 6, 8].map((n) => ({ from: n, until: n }));
    expect(summaryOf([{ label: 'Balance', values: many.map(() => 0), dashed }], many, 'USD')).toContain(
      'Not reported: 1 Mar 2026, 3 Mar 2026, 5 Mar 2026 and 2 more periods.',
    );
  });
});
