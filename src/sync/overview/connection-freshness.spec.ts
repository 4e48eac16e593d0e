import { staleness } from './connection-freshness.js';

const TODAY = '2026-03-15';
const NOON = new Date('2026-03-15T12:00:00Z');
const account = (name: string, completeUntil: string | null, firstSeen = '2026-01-01') => ({
  name,
  completeUntil,
  firstSeen,
});

describe('staleness', () => {
  it('a connection that was never synced has the level never', () => {
    expect(staleness(null, [], TODAY)).toMatchObject({ level: 'never', since: null });
  });

  it('a connection is fresh if every account was complete lately', () => {
    const accounts = [account('Checking', TODAY), account('Savings', '2026-03-13')];
    expect(staleness(NOON, accounts, TODAY)).toEqual({ level: 'fresh', since: '2026-03-13', message: null });
  });

  it('the staleness of a connection is that of its oldest account', () => {
    const accounts = [account('Checking', TODAY), account('Savings', '2026-03-12'), account('Card', '2026-03-13')];
    const { level, since, message } = staleness(NOON, accounts, TODAY);
    expect([level, since]).toEqual(['stale', '2026-03-12']);
    expect(message).toBe('“Savings” has been incomplete since 2026-03-12.');
  });

  it('the staleness of an account that was never complete counts from the day it was first seen', () => {
    expect(staleness(NOON, [account('Card', null, '2026-03-14')], TODAY).level).toBe('fresh');
    expect(staleness(NOON, [account('Card', null, '2026-03-10')], TODAY).since).toBe('2026-03-10');
  });

  it('a connection becomes stale while no sync succeeds', () => {
    const synced = new Date('2026-03-11T06:00:00Z');
    expect(staleness(synced, [account('Card', '2026-03-11')], TODAY)).toEqual({
      level: 'stale',
      since: '2026-03-11',
      message: 'No new data since 2026-03-11.',
    });
  });
});
