import { jitterMs } from './jitter.js';

const HOUR_MS = 3_600_000;

describe('jitterMs', () => {
  it('the jitter of a connection is always the same', () => {
    expect(jitterMs('connection 1', 6 * HOUR_MS)).toBe(jitterMs('connection 1', 6 * HOUR_MS));
  });

  it.each([
    ['fifteen minutes', 6 * HOUR_MS, 15 * 60_000],
    ['a quarter of the time to the next tick', 8_000, 2_000],
    ['zero if the next tick is unknown', null, 0],
    ['zero if the next tick is due already', -5, 0],
  ])('the jitter is at most %s', (_, untilNextTickMs, longestMs) => {
    const waits = Array.from({ length: 200 }, (_, index) => jitterMs(`connection ${index}`, untilNextTickMs));
    expect(Math.max(...waits)).toBeLessThanOrEqual(longestMs);
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(0);
  });

  it('the jitter of connections is spread evenly over its whole range', () => {
    const quarters = [0, 0, 0, 0];
    for (let index = 0; index < 2_000; index++)
      quarters[Math.floor(jitterMs(`connection ${index}`, HOUR_MS) / 225_000)]!++;
    for (const count of quarters) expect(Math.abs(count - 500)).toBeLessThan(100);
  });
});
