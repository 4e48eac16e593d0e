import { showsZero } from './chart-line.js';

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
