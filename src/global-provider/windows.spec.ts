import fc from 'fast-check';
import type { Wanted } from '../bank-provider/transaction-history.js';
import { addDays, daysBetween } from '../time/calendar-date.js';
import { halvesOf, newestWindow, nextWindow } from './windows.js';

const TODAY = '2026-03-15';

function wanted(more: Partial<Wanted> = {}): Wanted {
  return { today: TODAY, historyFrom: '2024-03-15', completeUntil: new Map(), ...more };
}

describe('newestWindow', () => {
  it('the newest window reaches 90 days back, including today, and has no end', () => {
    expect(newestWindow('1', wanted())).toEqual({ from: '2025-12-16', until: null });
  });

  it('the newest window is no longer than the requested history', () => {
    expect(newestWindow('1', wanted({ historyFrom: '2026-03-01' })).from).toBe('2026-03-01');
  });

  it('the newest window of an unfinished backfill begins thirty days before the last complete day', () => {
    const partlyKnown = new Map([['1', { from: '2025-06-01', until: '2026-03-14' }]]);
    expect(newestWindow('1', wanted({ partlyKnown })).from).toBe('2026-02-12');
  });

  it('the newest window includes up to thirty older days rather than leave a short window', () => {
    expect(newestWindow('1', wanted({ historyFrom: '2025-11-17' })).from).toBe('2025-11-17');
    expect(newestWindow('1', wanted({ historyFrom: '2025-11-16' })).from).toBe('2025-12-16');
  });
});

describe('nextWindow', () => {
  it('older windows meet without a gap or an overlap, end at the requested start and are at least thirty days long', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2_000 }), (days) => {
        const historyFrom = addDays(TODAY, -days);
        let window = newestWindow('1', wanted({ historyFrom }));
        while (window.from > historyFrom) {
          const older = nextWindow({ from: historyFrom, until: window.from });
          expect(older.until).toBe(window.from);
          expect(daysBetween(older.from, older.until!)).toBeGreaterThanOrEqual(30);
          expect(daysBetween(older.from, older.until!)).toBeLessThan(120);
          expect(older.from < window.from).toBe(true);
          window = older;
        }
        expect(window.from).toBe(historyFrom);
      }),
    );
  });
});

describe('halvesOf', () => {
  it('a window is split into two halves, newer half first, down to single days', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200 }), fc.boolean(), (days, isNewest) => {
        const from = addDays(TODAY, 1 - days);
        const window = { from, until: isNewest ? null : addDays(TODAY, 1) };
        const halves = halvesOf(window, TODAY);
        if (days === 1) return expect(halves).toBeNull();
        const [newer, older] = halves!;
        expect([older.from, older.until, newer.until]).toEqual([from, newer.from, window.until]);
        expect(newer.from > from && newer.from <= TODAY).toBe(true);
      }),
    );
  });
});
