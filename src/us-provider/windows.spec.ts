import fc from 'fast-check';
import type { Wanted } from '../bank-provider/transaction-history.js';
import { addDays, daysBetween } from '../time/calendar-date.js';
import { newestWindow, nextWindow } from './windows.js';

const TODAY = '2026-03-15';

function wanted(more: Partial<Wanted> = {}): Wanted {
  return { today: TODAY, historyFrom: '2025-03-15', completeUntil: new Map(), ...more };
}

describe('newestWindow', () => {
  it('the newest window of a first sync reaches 44 days back, including today', () => {
    expect(newestWindow(wanted())).toEqual({ from: '2026-01-31', until: null });
  });

  it('the newest window is no longer than the requested history', () => {
    expect(newestWindow(wanted({ historyFrom: '2026-03-01' })).from).toBe('2026-03-01');
  });

  it.each([
    ['an account that is known until yesterday', { completeUntil: new Map([['A', '2026-03-14']]) }],
    [
      'an account whose backfill is unfinished',
      { partlyKnown: new Map([['A', { from: '2025-12-01', until: TODAY }]]) },
    ],
  ])('the newest window reaches 44 days back for %s', (_, known) => {
    expect(newestWindow(wanted(known))).toEqual({ from: '2026-01-31', until: null });
  });

  it('the newest window closes a gap that begins before the requested history', () => {
    const completeUntil = new Map([['A', '2026-03-05']]);
    expect(newestWindow(wanted({ completeUntil, historyFrom: '2026-03-10' })).from).toBe('2026-03-05');
  });

  it('the newest window is never longer than 44 days, however long ago the last sync was', () => {
    expect(newestWindow(wanted({ completeUntil: new Map([['A', '2025-06-01']]) })).from).toBe('2026-01-31');
  });
});

describe('nextWindow', () => {
  it('older windows meet without a gap or an overlap and end at the requested start', () => {
    const day = fc.integer({ min: 0, max: 2_000 });
    fc.assert(
      fc.property(day, (days) => {
        const historyFrom = addDays(TODAY, -days);
        let window = newestWindow(wanted({ historyFrom }));
        expect(daysBetween(window.from, TODAY)).toBeLessThan(44);
        while (window.from > historyFrom) {
          const older = nextWindow({ from: historyFrom, until: window.from });
          expect(older.until).toBe(window.from);
          expect(daysBetween(older.from, older.until)).toBeLessThanOrEqual(44);
          expect(older.from < window.from).toBe(true);
          window = older;
        }
        expect(window.from).toBe(historyFrom);
      }),
    );
  });
});
