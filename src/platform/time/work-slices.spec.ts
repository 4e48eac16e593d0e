import { jest } from '@jest/globals';
import { inSlices } from './work-slices.js';

describe('a computation in slices', () => {
  it('shows every second that it is under way, however little of the processor it gets', async () => {
    let nowMs = 0;
    const now = jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
    const shownAt: number[] = [];
    function* busyMachine(): Generator<undefined, string, undefined> {
      for (; nowMs < 35_000; nowMs += 100) yield;
      return 'done';
    }
    const showsAlive = () => Promise.resolve(void shownAt.push(nowMs));
    const result = await inSlices(busyMachine(), showsAlive).finally(() => now.mockRestore());
    const waits = shownAt.map((at, i) => at - (shownAt[i - 1] ?? 0));
    expect([result, shownAt.at(-1)! > 33_000, Math.max(...waits) <= 1_100]).toEqual(['done', true, true]);
  });
});
