import type { Account } from '../accounts/account.entity.js';
import type { SnapshotAccount } from '../bank-provider/bank-provider.js';
import { type IngestMoment, statedValues } from './account-changes.js';

const MOMENT: IngestMoment = {
  at: new Date('2026-03-15T12:00:00Z'),
  day: '2026-03-15',
  utcDay: '2026-03-15',
  timeZone: 'UTC',
  datesAs: null,
  isWholeHistory: false,
};

const stated = (account: Partial<Account>, answer: Partial<SnapshotAccount>) =>
  statedValues(
    {
      currency: 'USD',
      accountType: 'depository',
      holdingsRetryOn: null,
      covered: [],
      staleSince: null,
      ...account,
    } as Account,
    { currency: 'USD', complete: true, holdings: { status: 'unknown' }, ...answer } as SnapshotAccount,
    MOMENT,
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
      expect(stated({ covered: [until('2026-03-10')] }, { knownFrom: from }).covered).toEqual(covered);
    },
  );
});
