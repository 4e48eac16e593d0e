import { Repeats } from './repeats.js';

describe('repeated lines of the log', () => {
  it('are written three times in ten seconds, and say then how many were left out', () => {
    let nowMs = 0;
    const repeats = new Repeats(() => nowMs);
    const at = (ms: number, line: string) => {
      nowMs = ms;
      return repeats.admit(line);
    };
    expect([at(0, 'lost'), at(1, 'lost'), at(2, 'other'), at(3, 'lost'), at(4, 'lost')]).toEqual([0, 0, 0, 0, null]);
    expect([at(9_999, 'lost'), at(10_000, 'lost'), at(10_001, 'lost'), at(90_000, 'lost')]).toEqual([null, 2, 0, 0]);
  });

  it('are forgotten, the oldest first, when there are too many to remember', () => {
    const repeats = new Repeats(() => 0);
    for (let i = 0; i <= 500; i++) repeats.admit(`line ${i}`);
    const again = (line: string) => [1, 2, 3].map(() => repeats.admit(line));
    expect([again('line 0'), again('line 500')]).toEqual([
      [0, 0, 0],
      [0, 0, null],
    ]);
  });
});
