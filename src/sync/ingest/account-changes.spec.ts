import type { Account } from '../../balances/accounts/account.entity.js';
import type { SnapshotAccount } from '../../providers/bank-provider.js';
import type { ProviderProblem } from '../../providers/provider-error.js';
import type { CoveredDays } from '../../platform/time/covered-days.js';
import { type IngestMoment, problemsOf, statedValues } from './account-changes.js';

const MOMENT: IngestMoment = {
  at: new Date('2026-03-15T12:00:00Z'),
  day: '2026-03-15',
  utcDay: '2026-03-15',
  timeZone: 'UTC',
  datesAs: null,
  historyFrom: '2025-03-15',
  isWholeHistory: false,
};

const stated = (account: Partial<Account>, answer: Partial<SnapshotAccount>, moment: Partial<IngestMoment> = {}) =>
  statedValues(
    {
      currency: 'USD',
      accountType: 'depository',
      holdingsRetryOn: null,
      covered: [],
      staleSince: null,
      ...account,
    } as Account,
    { currency: 'USD', covered: [], holdings: { status: 'unknown' }, ...answer } as SnapshotAccount,
    { ...MOMENT, ...moment },
  );

describe('statedValues for holdings', () => {
  it.each([
    ['2026-03-16', '2026-03-16'],
    ['2026-03-15', '2026-04-14'],
    [null, '2026-04-14'],
  ])('if the provider has no holdings, a request for them due on %s is next due on %s', (holdingsRetryOn, next) => {
    expect(stated({ holdingsRetryOn }, { holdings: { status: 'unavailable' } }).holdingsRetryOn).toBe(next);
  });
});

describe('statedValues for covered days', () => {
  const until = (day: string) => ({ from: null, until: day });

  it.each([
    ['2026-03-09', [until('2026-03-15')]],
    ['2026-03-10', [until('2026-03-15')]],
    ['2026-03-11', [until('2026-03-10'), { from: '2026-03-11', until: '2026-03-15' }]],
  ])(
    'an answer that lacks nothing from %s on leaves a gap only if it begins after the last covered day',
    (from, covered) => {
      expect(stated({ covered: [until('2026-03-10')] }, { covered: [{ from, until: '2026-03-15' }] }).covered).toEqual(
        covered,
      );
    },
  );

  it('an account lacks nothing once its days reach back to the history that is wanted', () => {
    const covered = [{ from: '2025-06-01', until: '2026-03-10' }];
    const newest = { from: '2026-03-08', until: '2026-03-15' };
    // Without a first day the bank has nothing older.
    for (const from of ['2025-03-15', null]) {
      const answer = { covered: [{ from, until: '2025-06-01' }, newest] };
      expect(stated({ covered }, answer).covered).toEqual([until('2026-03-15')]);
    }
    expect(stated({ covered }, { covered: [newest] }).covered).toEqual([{ from: '2025-06-01', until: '2026-03-15' }]);
  });

  it('the days of an answer end with the day of the person', () => {
    const covered = [{ from: '2026-03-01', until: '2026-03-15' }];
    expect(stated({ covered: [until('2026-03-10')] }, { covered }, { day: '2026-03-16' }).covered).toEqual([
      until('2026-03-16'),
    ]);
  });
});

describe('problemsOf', () => {
  const limited: ProviderProblem = { kind: 'rate_limited', message: 'History is missing.', isOfOlderDays: true };
  const others: ProviderProblem[] = [
    { ...limited, kind: 'network', message: 'Away.' },
    { kind: 'rate_limited', message: 'More than 24 requests today.' },
  ];
  const account: Partial<Account> = { externalId: 'A', covered: [{ from: null, until: '2026-03-10' }] };
  const stored = [account as Account];
  const since = (from: string): CoveredDays => [{ from, until: '2026-03-15' }];

  const told = (covered: Record<string, CoveredDays>, problems = [limited]) => {
    const accounts = Object.entries(covered).map(([externalId, days]) => ({ externalId, covered: days }));
    const snapshot = { accounts: accounts as SnapshotAccount[], problems, retryAfterSeconds: null };
    return problemsOf(snapshot, stored, { today: '2026-03-15', historyFrom: '2025-03-15' });
  };

  it('a rate limit that kept older days away is no problem if these are stored or not wanted', () => {
    expect(told({ A: since('2026-01-31'), B: since('2025-03-15') })).toEqual([]);
    expect(told({ A: since('2026-01-31') }, [...others, limited])).toEqual(others);
  });

  it('a rate limit that kept older days away is a problem if days of an account are missing', () => {
    for (const days of [[], since('2026-03-11')]) expect(told({ A: days })).toEqual([limited]);
    expect(told({ A: since('2026-01-31'), NEW: since('2026-01-31') })).toEqual([limited]);
  });
});
