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
      completeUntil: null,
      staleSince: null,
      ...account,
    } as Account,
    { currency: 'USD', complete: true, holdings: { status: 'unknown' }, ...answer } as SnapshotAccount,
    MOMENT,
  );

describe('an account whose provider has no holdings of it', () => {
  it.each([
    ['2026-03-16', '2026-03-16'],
    ['2026-03-15', '2026-04-14'],
    [null, '2026-04-14'],
  ])('that was to be asked for them on %s is next asked on %s', (holdingsRetryOn, next) => {
    expect(stated({ holdingsRetryOn }, { holdings: { status: 'unavailable' } }).holdingsRetryOn).toBe(next);
  });
});

describe('an account that was complete until some day', () => {
  it.each([
    ['2026-03-09', '2026-03-15'],
    ['2026-03-10', '2026-03-15'],
    ['2026-03-11', undefined],
  ])('is complete again by an answer that begins on %s: until %s', (coveredFrom, completeUntil) => {
    expect(stated({ completeUntil: '2026-03-10' }, { coveredFrom }).completeUntil).toBe(completeUntil);
  });
});
