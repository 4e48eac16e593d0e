import { mergeChanges } from './note-changes.js';

describe('mergeChanges', () => {
  it('changes of one transaction are merged into one per kind with all its ids and one per account with all its days', () => {
    expect(
      mergeChanges([
        { kind: 'accounts', ids: ['a'] },
        { kind: 'balances', accountId: 'a', from: '2026-03-02', to: '2026-03-04' },
        { kind: 'accounts', ids: ['b', 'a'] },
        { kind: 'balances', accountId: 'a', from: '2026-03-01', to: '2026-03-02' },
        { kind: 'balances', accountId: 'b', from: '2026-03-01', to: '2026-03-02' },
      ]),
    ).toEqual([
      { kind: 'accounts', ids: ['a', 'b'] },
      { kind: 'balances', accountId: 'a', from: '2026-03-01', to: '2026-03-04' },
      { kind: 'balances', accountId: 'b', from: '2026-03-01', to: '2026-03-02' },
    ]);
  });

  it('merged changes of days have no bound if one of them has none', () => {
    const days = { kind: 'balances', accountId: 'a', from: '2026-03-01', to: '2026-03-02' } as const;
    expect(mergeChanges([days, { kind: 'balances', accountId: 'a' }])).toEqual([{ kind: 'balances', accountId: 'a' }]);
  });

  it('a change of all rows of a kind does not replace named ids, but a change of all rows of an account does', () => {
    const gone = { kind: 'connections', ids: ['c'] } as const;
    expect(mergeChanges([gone, { kind: 'connections' }])).toEqual([gone, { kind: 'connections' }]);
    const moved = { kind: 'transactions', accountId: 'a', ids: ['t'] } as const;
    expect(mergeChanges([moved, { kind: 'transactions', accountId: 'a' }])).toEqual([
      { kind: 'transactions', accountId: 'a' },
    ]);
  });

  it('a change without ids is dropped', () => {
    expect(mergeChanges([{ kind: 'transactions', ids: [] }])).toEqual([]);
  });

  it('a change of thousands of ids names their account instead, if they have one', () => {
    const ids = Array.from({ length: 2_001 }, (_, i) => String(i));
    expect(mergeChanges([{ kind: 'transactions', accountId: 'a', ids }])).toEqual([
      { kind: 'transactions', accountId: 'a' },
    ]);
    expect(mergeChanges([{ kind: 'syncs', ids }])).toEqual([{ kind: 'syncs', ids }]);
  });
});
