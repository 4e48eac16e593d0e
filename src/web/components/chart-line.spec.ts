import { evenly, showsZero, summaryOf } from './chart-line.js';

const filled = (...values: number[]) => showsZero([{ label: 'Balance', values, fill: true }]);

describe('the area under a line', () => {
  it('is tinted where its chart can begin at zero, and nowhere else', () => {
    expect(filled(0, 500)).toBe(true);
    expect(filled(-100, 500)).toBe(true);
    expect(filled(250, 500)).toBe(true);
    expect(filled(-500, -250)).toBe(true);
    expect(filled(251, 500)).toBe(false);
    expect(filled(-500, -251)).toBe(false);
    expect(filled(0)).toBe(true);
  });

  it('is tinted under no line that does not ask for it', () => {
    expect(showsZero([{ label: 'Cash', values: [0, 500] }])).toBe(false);
  });
});

describe('points evenly spread', () => {
  it('are all of them where they are few', () => expect(evenly(3, 5)).toEqual([0, 1, 2]));

  it('keep the first and the last where they are many', () => {
    expect(evenly(11, 3)).toEqual([0, 5, 10]);
    expect(evenly(366, 56)).toHaveLength(56);
    expect(new Set(evenly(366, 56)).size).toBe(56);
  });

  it('are none of none and one of one', () => expect([evenly(0, 5), evenly(1, 5)]).toEqual([[], [0]]));
});

describe('the summary of a chart', () => {
  const days = ['2026-03-01', '2026-03-02', '2026-03-03', '2026-03-04', '2026-03-05'];
  const values = [100, 200, 300, 400, 500];

  it('says where every line begins and ends', () => {
    const lines = [
      { label: 'Market', values: [0, 1, 2, 3, -400], change: true },
      { label: 'Money in and out', values, change: true },
    ];
    expect(summaryOf(lines, days, 'USD')).toBe(
      'Market from $0.00 on 1 Mar 2026 to −$4.00 on 5 Mar 2026. ' +
        'Money in and out from +$1.00 on 1 Mar 2026 to +$5.00 on 5 Mar 2026.',
    );
  });

  it('names the days that are not certain, each once', () => {
    const uncertain = [
      { from: 0, until: 1 },
      { from: 1, until: 2 },
      { from: 4, until: 4 },
    ];
    expect(summaryOf([{ label: 'Balance', values, uncertain }], days, 'USD')).toBe(
      'Balance from $1.00 on 1 Mar 2026 to $5.00 on 5 Mar 2026. Not certain: 1 Mar 2026 to 3 Mar 2026, 5 Mar 2026.',
    );
  });

  it('compares the last value of a line with the one that it is told', () => {
    expect(summaryOf([{ label: 'Net worth', values, knownFrom: 2, comparedFrom: 2 }], days, 'USD')).toBe(
      'Net worth from $3.00 on 3 Mar 2026 to $5.00 on 5 Mar 2026. Not certain: 1 Mar 2026 to 2 Mar 2026.',
    );
  });

  it('counts what would take too long to name', () => {
    const many = Array.from({ length: 9 }, (_, n) => `2026-03-${String(n + 1).padStart(2, '0')}`);
    const uncertain = [0, 2, 4, 6, 8].map((n) => ({ from: n, until: n }));
    expect(summaryOf([{ label: 'Balance', values: many.map(() => 0), uncertain }], many, 'USD')).toContain(
      'Not certain: 1 Mar 2026, 3 Mar 2026, 5 Mar 2026 and 2 more periods.',
    );
  });
});
