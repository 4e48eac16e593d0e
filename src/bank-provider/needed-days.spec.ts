import { neededFrom, type Wanted } from './transaction-history.js';

function wanted(more: Partial<Wanted> = {}): Wanted {
  return { today: '2026-03-15', historyFrom: '2025-03-15', completeUntil: new Map(), ...more };
}

describe('the first day needed of an account', () => {
  it('is that of the whole history when nothing is known', () => {
    expect(neededFrom('A', wanted(), 5)).toBe('2025-03-15');
  });

  it('lies before what is known, but brings no more history than a first sync would', () => {
    const completeUntil = new Map([['A', '2026-03-14']]);
    expect(neededFrom('A', wanted({ completeUntil }), 5)).toBe('2026-03-09');
    expect(neededFrom('A', wanted({ completeUntil, historyFrom: '2026-03-12' }), 5)).toBe('2026-03-12');
  });

  it('closes a gap even where it is older than the history wanted', () => {
    const completeUntil = new Map([['A', '2026-02-01']]);
    expect(neededFrom('A', wanted({ completeUntil, historyFrom: '2026-03-12' }), 5)).toBe('2026-02-01');
  });
});
