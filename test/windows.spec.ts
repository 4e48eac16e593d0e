import fc from 'fast-check';
import { WINDOWS as GLOBAL } from '../src/global-provider/account-fetcher.js';
import { addDays, daysBetween } from '../src/time/calendar-date.js';
import { WINDOWS as US } from '../src/us-provider/snapshot-draft.js';
import { ProviderError } from '../src/bank-provider/provider-error.js';
import type { Wanted, Window } from '../src/bank-provider/transaction-history.js';
import {
  fetchOrHalve,
  halvesOf,
  newestWindow,
  nextWindow,
  type WindowRules,
} from '../src/bank-provider/feed/windows.js';

const TODAY = '2026-03-15';

const VENDORS: [string, WindowRules, { longest: string; overlap: string }][] = [
  ['the US provider', US, { longest: '2026-01-31', overlap: '2026-01-31' }],
  ['the global provider', GLOBAL, { longest: '2025-12-16', overlap: '2026-02-12' }],
];

const wanted = (more: Partial<Wanted> = {}): Wanted => {
  return { today: TODAY, historyFrom: '2024-03-15', completeUntil: new Map(), ...more };
};

describe.each(VENDORS)('the windows of %s', (_, rules, { longest, overlap }) => {
  const newest = (more: Partial<Wanted> = {}) => newestWindow(['A'], wanted(more), rules);

  it('the newest window of a first sync is as long as one may be, includes today and has no end', () => {
    expect(newest()).toEqual({ from: longest, until: null });
  });

  it('the newest window is no longer than the requested history', () => {
    expect(newest({ historyFrom: '2026-03-01' }).from).toBe('2026-03-01');
  });

  it.each([
    ['an account that is complete', { completeUntil: new Map([['A', '2026-03-14']]) }],
    ['an unfinished backfill', { partlyKnown: new Map([['A', { from: '2025-06-01', until: '2026-03-14' }]]) }],
  ])('the newest window of %s begins with the overlap', (_, known) => {
    expect(newest(known).from).toBe(overlap);
  });

  it('the newest window closes a gap that begins before the requested history', () => {
    const completeUntil = new Map([['A', '2026-03-05']]);
    expect(newest({ completeUntil, historyFrom: '2026-03-10' }).from).toBe('2026-03-05');
  });

  it('the newest window is never longer, however long ago the last sync was', () => {
    expect(newest({ completeUntil: new Map([['A', '2025-06-01']]) }).from).toBe(longest);
  });

  it('older windows meet without a gap or an overlap, and end at the requested start', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2_000 }), (days) => {
        const historyFrom = addDays(TODAY, -days);
        let window = newest({ historyFrom });
        while (window.from > historyFrom) {
          const older = nextWindow({ from: historyFrom, until: window.from }, rules);
          expect(older.until).toBe(window.from);
          expect(daysBetween(older.from, older.until)).toBeGreaterThanOrEqual(Math.max(rules.shortestDays, 1));
          expect(daysBetween(older.from, older.until)).toBeLessThan(rules.days + Math.max(rules.shortestDays, 1));
          window = older;
        }
        expect(window.from).toBe(historyFrom);
      }),
    );
  });
});

describe('windows', () => {
  it('a window includes up to thirty older days of a history rather than leave a short one', () => {
    const from = (historyFrom: string) => newestWindow(['A'], wanted({ historyFrom }), GLOBAL).from;
    expect([from('2025-11-17'), from('2025-11-16')]).toEqual(['2025-11-17', '2025-12-16']);
  });

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

describe('fetchOrHalve', () => {
  const tooLarge = new ProviderError('answer_too_large', 'Too large.');
  const window = { from: '2026-02-01', until: '2026-03-01' };
  const fetch = (mostDays: number) => (part: Window) =>
    daysBetween(part.from, part.until!) > mostDays ? Promise.reject(tooLarge) : Promise.resolve('answer');

  it('a window whose answer is too large is fetched by its newer half, and refused if that is too large as well', async () => {
    expect(await fetchOrHalve(window, TODAY, fetch(28))).toEqual([window, 'answer']);
    expect(await fetchOrHalve(window, TODAY, fetch(14))).toEqual([{ ...window, from: '2026-02-15' }, 'answer']);
    await expect(fetchOrHalve(window, TODAY, fetch(13))).rejects.toBe(tooLarge);
  });

  it('a window that fails for another reason is fetched once', async () => {
    let asked = 0;
    const failure = new ProviderError('network', 'No answer.');
    const fails = () => Promise.reject((asked++, failure));
    await expect(fetchOrHalve(window, TODAY, fails)).rejects.toBe(failure);
    expect(asked).toBe(1);
  });
});
