import type { SyncResponse } from '../../sync/runs/sync.response.js';
import type { ConnectionResponse } from '../../sync/overview/connection.response.js';
import { outcomeText, stateOf } from './sync-labels.js';

function textOf(counts: Partial<SyncResponse['counts']>): string {
  const none = { accounts: 2, transactions_added: 0, transactions_updated: 0, transactions_removed: 0 };
  const all = { ...none, balances_written: 0, ...counts };
  return outcomeText({ status: 'succeeded', trigger: 'schedule', counts: all } as SyncResponse);
}

describe('outcomeText', () => {
  it.each([
    [{}, 'Nothing new in 2 accounts.'],
    [{ transactions_added: 1, balances_written: 3 }, '1 new transaction, 3 balance records in 2 accounts.'],
    [{ transactions_added: 12, transactions_updated: 5 }, '12 new transactions, 5 changed in 2 accounts.'],
    [{ transactions_updated: 1 }, '1 changed transaction in 2 accounts.'],
    [
      { transactions_removed: 1_200, balances_written: 1 },
      '1,200 removed transactions, 1 balance record in 2 accounts.',
    ],
  ])('a sync with the counts %j is described as: %s', (counts, text) => expect(textOf(counts)).toBe(text));
});

describe('stateOf a connection without recorded syncs', () => {
  it.each([
    ['fresh', '2026-03-15T12:00:00Z', 'Up to date'],
    ['stale', '2026-03-15T12:00:00Z', 'Out of date'],
    ['never', null, 'Not synced yet'],
  ])('a connection of staleness %s, last synced %s, without syncs is labelled: %s', (level, lastSyncedAt, text) => {
    const connection = { status: 'active', staleness: { level }, last_synced_at: lastSyncedAt } as ConnectionResponse;
    expect(stateOf(connection, null).text).toBe(text);
  });
});
