import { neededFrom, type Wanted } from './transaction-history.js';

function wanted(more: Partial<Wanted> = {}): Wanted {
  return { today: '2026-03-15', historyFrom: '2025-03-15', completeUntil: new Map(), ...more };
}

describe('neededFrom', () => {
  it('an unknown account needs the whole history', () => {
    expect(neededFrom('A', wanted(), 5)).toBe('2025-03-15');
  });

  it('a known account needs some days before its last complete day, but no more than a first sync requests', () => {
    const completeUntil = new Map([['A', '2026-03-14']]);
    expect(neededFrom('A', wanted({ completeUntil }), 5)).toBe('2026-03-09');
    expect(neededFrom('A', wanted({ completeUntil, historyFrom: '2026-03-12' }), 5)).toBe('2026-03-12');
  });

  it('a gap is requested even if it is older than the requested history', () => {
    const completeUntil = new Map([['A', '2026-02-01']]);
    expect(neededFrom('A', wanted({ completeUntil, historyFrom: '2026-03-12' }), 5)).toBe('2026-02-01');
  });
});
