import { jest } from '@jest/globals';
import { clockProblem, measureClock } from './clock-check.service.js';

const NOON = Date.parse('2026-03-15T12:00:00Z');

/** What is measured when the database gives these times after so many milliseconds each. */
async function measured(answers: readonly { tookMs: number; databaseMs: number }[]): Promise<number | null> {
  let passedMs = 0;
  const stopwatch = jest.spyOn(performance, 'now').mockImplementation(() => passedMs);
  const left = [...answers];
  try {
    return await measureClock({ now: () => new Date(NOON) }, () => {
      const { tookMs, databaseMs } = left.shift()!;
      passedMs += tookMs;
      return Promise.resolve(databaseMs);
    });
  } finally {
    stopwatch.mockRestore();
  }
}

describe('measureClock and clockProblem', () => {
  it('the clock difference is measured at the middle of a quick query, else of the fastest of three', async () => {
    const slow = { tookMs: 900, databaseMs: NOON };
    expect(await measured([slow, { tookMs: 400, databaseMs: NOON - 7_000 }, slow])).toBe(7_200);
    expect(await measured([{ tookMs: 40, databaseMs: NOON - 7_000 }])).toBe(7_020);
  });

  it('the clock difference is unknown if each query takes a second', async () => {
    const slow = { tookMs: 1_000, databaseMs: 0 };
    expect(await measured([slow, slow, slow])).toBeNull();
  });

  it.each([
    [5_000, null],
    [-5_000, null],
    [7_020, "The clock of this machine is 7 s ahead of the database's: set the time with NTP."],
    [-86_400_000, "The clock of this machine is 86400 s behind the database's: set the time with NTP."],
  ])('a clock difference of %i ms is reported as %j', (aheadMs, problem) => {
    expect(clockProblem(aheadMs)).toBe(problem);
  });
});
