import { evenly, showsZero } from './chart-line.js';

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
