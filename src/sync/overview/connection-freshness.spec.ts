import { staleness } from './connection-freshness.js';

const TODAY = '2026-03-15';
const NOON = new Date('2026-03-15T12:00:00Z');
const account = (name: string, completeUntil: string | null, firstSeen = '2026-01-01') => ({
  name,
  completeUntil,
  firstSeen,
});

describe('the staleness of a connection', () => {
  it('says so when nothing was ever synced', () => {
    expect(staleness(null, [], TODAY)).toMatchObject({ level: 'never', since: null });
  });

  it('is none when every account came in lately', () => {
    const accounts = [account('Checking', TODAY), account('Savings', '2026-03-13')];
    expect(staleness(NOON, accounts, TODAY)).toEqual({ level: 'fresh', since: '2026-03-13', message: null });
  });

  it('is that of the oldest account, however often the others came in', () => {
    const accounts = [account('Checking', TODAY), account('Savings', '2026-03-12'), account('Card', '2026-03-13')];
    const { level, since, message } = staleness(NOON, accounts, TODAY);
    expect([level, since]).toEqual(['stale', '2026-03-12']);
    expect(message).toBe('“Savings” has been incomplete since 2026-03-12.');
  });

  it('counts from the day an account was first seen when it never came in completely', () => {
    expect(staleness(NOON, [account('Card', null, '2026-03-14')], TODAY).level).toBe('fresh');
    expect(staleness(NOON, [account('Card', null, '2026-03-10')], TODAY).since).toBe('2026-03-10');
  });

  it('grows while no sync succeeds', () => {
    const synced = new Date('2026-03-11T06:00:00Z');
    expect(staleness(synced, [account('Card', '2026-03-11')], TODAY)).toEqual({
      level: 'stale',
      since: '2026-03-11',
      message: 'No new data since 2026-03-11.',
    });
  });
});
