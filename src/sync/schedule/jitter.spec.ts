import { jitterMs } from './jitter.js';

const HOUR_MS = 3_600_000;

describe('the spread of a tick', () => {
  it('is the same for the same connection', () => {
    expect(jitterMs('connection 1', 6 * HOUR_MS)).toBe(jitterMs('connection 1', 6 * HOUR_MS));
  });

  it.each([
    ['fifteen minutes', 6 * HOUR_MS, 15 * 60_000],
    ['a quarter of the time to the next tick', 8_000, 2_000],
    ['nothing when that is not known', null, 0],
    ['nothing when it is due already', -5, 0],
  ])('lasts at most %s', (_, untilNextTickMs, longestMs) => {
    const waits = Array.from({ length: 200 }, (_, index) => jitterMs(`connection ${index}`, untilNextTickMs));
    expect(Math.max(...waits)).toBeLessThanOrEqual(longestMs);
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(0);
  });

  it('uses the whole of its time evenly', () => {
    const quarters = [0, 0, 0, 0];
    for (let index = 0; index < 2_000; index++)
      quarters[Math.floor(jitterMs(`connection ${index}`, HOUR_MS) / 225_000)]!++;
    for (const count of quarters) expect(Math.abs(count - 500)).toBeLessThan(100);
  });
});
