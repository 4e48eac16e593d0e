import { mergeChanges } from './note-changes.js';

describe('the changes of one transaction', () => {
  it('are one part for the ids of a kind and one for the days of an account', () => {
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

  it('have no bound where one of them has none', () => {
    const days = { kind: 'balances', accountId: 'a', from: '2026-03-01', to: '2026-03-02' } as const;
    expect(mergeChanges([days, { kind: 'balances', accountId: 'a' }])).toEqual([{ kind: 'balances', accountId: 'a' }]);
  });

  it('keep the ids beside all of a kind, since those may be gone, and not beside all of their account', () => {
    const gone = { kind: 'connections', ids: ['c'] } as const;
    expect(mergeChanges([gone, { kind: 'connections' }])).toEqual([gone, { kind: 'connections' }]);
    const moved = { kind: 'transactions', accountId: 'a', ids: ['t'] } as const;
    expect(mergeChanges([moved, { kind: 'transactions', accountId: 'a' }])).toEqual([
      { kind: 'transactions', accountId: 'a' },
    ]);
  });

  it('are none where no id is named', () => {
    expect(mergeChanges([{ kind: 'transactions', ids: [] }])).toEqual([]);
  });

  it('say which account instead of thousands of ids', () => {
    const ids = Array.from({ length: 2_001 }, (_, i) => String(i));
    expect(mergeChanges([{ kind: 'transactions', accountId: 'a', ids }])).toEqual([
      { kind: 'transactions', accountId: 'a' },
    ]);
    expect(mergeChanges([{ kind: 'syncs', ids }])).toEqual([{ kind: 'syncs', ids }]);
  });
});
