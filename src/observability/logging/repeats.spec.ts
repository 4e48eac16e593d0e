import { Repeats } from './repeats.js';

describe('repeated lines of the log', () => {
  it('are written once in ten seconds, and say then how many were left out', () => {
    let nowMs = 0;
    const repeats = new Repeats(() => nowMs);
    const at = (ms: number, line: string) => {
      nowMs = ms;
      return repeats.admit(line);
    };
    expect([at(0, 'lost'), at(1_000, 'lost'), at(2_000, 'other'), at(9_999, 'lost')]).toEqual([0, null, 0, null]);
    expect([at(10_000, 'lost'), at(10_001, 'lost'), at(90_000, 'lost'), at(200_000, 'lost')]).toEqual([2, null, 1, 0]);
  });

  it('are forgotten, the oldest first, when there are too many to remember', () => {
    const repeats = new Repeats(() => 0);
    for (let i = 0; i <= 500; i++) repeats.admit(`line ${i}`);
    expect([repeats.admit('line 0'), repeats.admit('line 500')]).toEqual([0, null]);
  });
});
