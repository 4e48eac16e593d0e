import fc from 'fast-check';
import { WINDOWS as GLOBAL } from '../../src/providers/global-provider/account-fetcher.js';
import { addDays, type CalendarDate, daysBetween } from '../../src/platform/time/calendar-date.js';
import type { CoveredDays } from '../../src/platform/time/covered-days.js';
import { WINDOWS as US } from '../../src/providers/us-provider/snapshot-draft.js';
import type { SnapshotTransaction } from '../../src/providers/bank-provider.js';
import { ProviderError } from '../../src/providers/provider-error.js';
import { LeftOutRows, TransactionHistory, type Window } from '../../src/providers/transaction-history.js';
import {
  fetchAsFarAsPossible,
  fetchMissing,
  fetchOrHalve,
  halvesOf,
  type WindowRules,
} from '../../src/providers/feed/windows.js';

const TODAY = '2026-03-15';
const TWO_YEARS = '2024-03-15';
/** One day a month, for two years. */
const MONTHLY = Array.from({ length: 24 }, (_, month) => addDays(TODAY, -5 - 30 * month));

/** And how many windows two years take. */
const VENDORS: [string, WindowRules, number][] = [
  ['the US provider', US, 17],
  ['the global provider', GLOBAL, 8],
];

const until = (day: CalendarDate): CoveredDays => [{ from: null, until: day }];

interface Bank {
  rules?: WindowRules;
  historyFrom?: CalendarDate;
  /** By account: what is stored. */
  stored?: Record<string, CoveredDays>;
  /** Of the window with this number, from 0. */
  fault?: (window: number) => ProviderError | 'gap' | null;
}

const row = (date: CalendarDate, more: Partial<SnapshotTransaction> = {}): SnapshotTransaction => {
  const content = { amountMinor: -100, currency: 'USD', description: 'Shop', merchant: null, pending: false };
  return { externalId: `T-${date}`, date, ...content, ...more };
};

/** Fetches the histories of accounts whose bank lists a transaction on each of these days. */
async function fetched(days: Record<string, readonly CalendarDate[]>, bank: Bank = {}) {
  const { rules = US, historyFrom = TWO_YEARS, stored = {}, fault = () => null } = bank;
  const wanted = { today: TODAY, historyFrom, covered: new Map(Object.entries(stored)) };
  const ids = Object.keys(days);
  const histories = ids.map((id) => new TransactionHistory(id, wanted, rules.overlapDays));
  const windows: Window[] = [];
  const fetch = (window: Window) => {
    const failure = fault(windows.push(window) - 1);
    return failure instanceof ProviderError ? Promise.reject(failure) : Promise.resolve(failure === 'gap');
  };
  const interruption = await fetchAsFarAsPossible(histories, { ...rules, today: TODAY }, fetch, (window, leavesGap) => {
    const isIn = (day: CalendarDate) => day >= window.from && day < (window.until ?? '9999');
    for (const [index, id] of ids.entries()) {
      const rows = days[id]!.filter(isIn).map((day) => row(day));
      histories[index]!.add(window, { rows, unreadable: new LeftOutRows(), leavesGap });
    }
  });
  return { windows, interruption, accounts: histories.map(({ inSnapshot }) => inSnapshot) };
}

const starts = ({ windows }: { windows: readonly Window[] }) => windows.map(({ from }) => from);
const coveredDays = ({ accounts }: Awaited<ReturnType<typeof fetched>>) => accounts.map(({ covered }) => covered);

describe.each(VENDORS)('the history that is fetched of %s', (_, rules, count) => {
  it('every day of a history is fetched once, newest window first, in windows that meet and are not too long', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 800 }), async (count) => {
        const days = Array.from({ length: count }, (_, index) => addDays(TODAY, -index));
        const historyFrom = days.at(-1)!;
        const { windows, accounts } = await fetched({ A: days }, { rules, historyFrom });
        expect(accounts[0]!.transactions.map(({ date }) => date).sort()).toEqual(days.toReversed());
        expect(windows[0]!.until).toBeNull();
        expect(windows.at(-1)!.from).toBe(historyFrom);
        for (const [index, { from, until }] of windows.entries()) {
          expect(until).toBe(windows[index - 1]?.from ?? null);
          const length = daysBetween(from, until ?? addDays(TODAY, 1));
          expect(length).toBeLessThan(rules.days + Math.max(rules.shortestDays, 1));
          expect(length).toBeGreaterThanOrEqual(Math.min(count, Math.max(rules.shortestDays, 1)));
        }
      }),
      { numRuns: 40 },
    );
  });

  it('a history ends after two empty windows in a row, and then lacks nothing since the beginning', async () => {
    const answer = await fetched({ A: ['2026-03-01', '2024-06-01'] }, { rules });
    expect(answer.windows).toHaveLength(3);
    expect(coveredDays(answer)).toEqual([until(TODAY)]);
  });

  it('a history goes on while any of several accounts has transactions', async () => {
    const { windows, accounts } = await fetched({ A: MONTHLY, B: ['2024-05-01'] }, { rules });
    expect([windows.length, windows.at(-1)!.from]).toEqual([count, TWO_YEARS]);
    expect(accounts[1]!.transactions).toHaveLength(1);
  });

  it('an account that is stored until yesterday is fetched from some days before', async () => {
    const answer = await fetched({ A: MONTHLY }, { rules, stored: { A: until('2026-03-14') } });
    const from = addDays('2026-03-14', -rules.overlapDays);
    expect([answer.windows, coveredDays(answer)]).toEqual([[{ from, until: null }], [[{ from, until: TODAY }]]]);
  });

  it('the overlap with stored days reaches no further back than the history that is wanted', async () => {
    const stored = { A: until('2026-03-14') };
    expect(starts(await fetched({ A: [] }, { rules, stored, historyFrom: '2026-03-12' }))).toEqual(['2026-03-12']);
  });

  it('a gap is fetched even if it is older than the history that is wanted', async () => {
    const stored = { A: until('2026-02-20') };
    expect(starts(await fetched({ A: [] }, { rules, stored, historyFrom: '2026-03-12' })).at(-1)).toBe('2026-02-20');
  });

  it('a long gap after stored days is fetched without stopping at empty windows', async () => {
    const answer = await fetched({ A: ['2025-08-01'] }, { rules, stored: { A: until('2025-07-20') } });
    expect(answer.windows.at(-1)!.from).toBe(addDays('2025-07-20', -rules.overlapDays));
    expect(answer.accounts[0]!.transactions).toHaveLength(1);
  });

  it('a history that was interrupted is fetched from where it stopped, after the newest days', async () => {
    const stored = { A: [{ from: '2025-08-01', until: '2026-03-13' }] };
    const answer = await fetched({ A: MONTHLY }, { rules, stored, historyFrom: '2025-06-01' });
    const newest = addDays('2026-03-13', -rules.overlapDays);
    expect(answer.windows.slice(0, 2).map(({ until }) => until)).toEqual([null, '2025-08-01']);
    expect(coveredDays(answer)).toEqual([
      [
        { from: '2025-06-01', until: '2025-08-01' },
        { from: newest, until: TODAY },
      ],
    ]);
  });

  it('a new account is fetched in full while the history of another account goes on', async () => {
    const stored = { A: [{ from: '2025-12-10', until: '2026-03-13' }] };
    const answer = await fetched({ A: MONTHLY, B: MONTHLY }, { rules, stored, historyFrom: '2025-10-15' });
    const whole = [{ from: '2025-10-15', until: TODAY }];
    expect(coveredDays(answer)).toEqual([whole, whole]);
  });

  it('what came before a window failed is kept, and older days are missing', async () => {
    const limited = new ProviderError('rate_limited', 'No more.', { retryAfterSeconds: 60 });
    const answer = await fetched({ A: MONTHLY }, { rules, fault: (window) => (window === 1 ? limited : null) });
    const { from } = answer.windows[0]!;
    expect(coveredDays(answer)).toEqual([[{ from, until: TODAY }]]);
    expect(answer.interruption).toEqual({
      problem: {
        kind: 'rate_limited',
        message: `History before ${from} is still missing. No more.`,
        isOfOlderDays: true,
      },
      retryAfterSeconds: 60,
    });
  });

  it('a window with a gap ends the days of which the list is whole, also if the windows before it are empty', async () => {
    const answer = await fetched({ A: [] }, { rules, fault: (window) => (window === 1 ? 'gap' : null) });
    expect(coveredDays(answer)).toEqual([[{ from: answer.windows[0]!.from, until: TODAY }]]);
    expect(coveredDays(await fetched({ A: MONTHLY }, { rules, fault: () => 'gap' }))).toEqual([[]]);
  });

  it('a window whose answer is too large is fetched by halves', async () => {
    const tooLarge = new ProviderError('answer_too_large', 'Too large.');
    const answer = await fetched({ A: MONTHLY }, { rules, fault: (window) => (window === 0 ? tooLarge : null) });
    expect(answer.windows[1]!.from > answer.windows[0]!.from).toBe(true);
    expect([answer.interruption, answer.accounts[0]!.transactions.length]).toEqual([null, 24]);
  });
});

describe('the windows of the global provider', () => {
  it('a window includes up to thirty older days of a history rather than leave a short one', async () => {
    const first = async (historyFrom: string) => starts(await fetched({ A: [] }, { rules: GLOBAL, historyFrom }))[0];
    expect([await first('2025-11-17'), await first('2025-11-16')]).toEqual(['2025-11-17', '2025-12-16']);
  });
});

describe('fetchMissing', () => {
  it('an error that only a person can help with is no interruption', async () => {
    const revoked = new ProviderError('access_revoked', 'Revoked.');
    await expect(fetched({ A: MONTHLY }, { fault: () => revoked })).rejects.toBe(revoked);
  });

  it('nothing is fetched if no account is listed', async () => {
    const fetch = () => Promise.reject(new Error('asked'));
    expect(await fetchMissing([], { ...US, today: TODAY }, fetch, () => undefined)).toBeUndefined();
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
