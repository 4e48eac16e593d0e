import fc from 'fast-check';
import type { Wanted } from '../bank-provider/transaction-history.js';
import { addDays, daysBetween } from '../time/calendar-date.js';
import { newestWindow, nextWindow } from './windows.js';

const TODAY = '2026-03-15';

function wanted(more: Partial<Wanted> = {}): Wanted {
  return { today: TODAY, historyFrom: '2025-03-15', completeUntil: new Map(), ...more };
}

describe('the newest window', () => {
  it('reaches 44 days back for a first sync, today included', () => {
    expect(newestWindow(wanted())).toEqual({ from: '2026-01-31', until: null });
  });

  it('is no longer than the history wanted', () => {
    expect(newestWindow(wanted({ historyFrom: '2026-03-01' })).from).toBe('2026-03-01');
  });

  it.each([
    ['an account that is known until yesterday', { completeUntil: new Map([['A', '2026-03-14']]) }],
    [
      'an account whose beginning is not known',
      { partlyKnown: new Map([['A', { from: '2025-12-01', until: TODAY }]]) },
    ],
  ])('reaches as far back for %s', (_, known) => {
    expect(newestWindow(wanted(known))).toEqual({ from: '2026-01-31', until: null });
  });

  it('closes a gap before the wanted history', () => {
    const completeUntil = new Map([['A', '2026-03-05']]);
    expect(newestWindow(wanted({ completeUntil, historyFrom: '2026-03-10' })).from).toBe('2026-03-05');
  });

  it('is never longer than 44 days, however long nothing was synced', () => {
    expect(newestWindow(wanted({ completeUntil: new Map([['A', '2025-06-01']]) })).from).toBe('2026-01-31');
  });
});

describe('windows back in time', () => {
  it('meet each other without gap or overlap, and end where they should', () => {
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
