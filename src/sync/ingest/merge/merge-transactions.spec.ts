import { storedRow } from '../../../../test/support/stored-rows.js';
import type { StoredRow } from '../matching/pair-rows.js';
import { pairTransactions } from './merge-transactions.js';

function row(id: string, date: string, amountMinor: number, more: Partial<StoredRow> = {}) {
  const texts = { currency: 'USD', description: 'Shop', merchant: null, pending: false };
  return storedRow({ externalId: `X-${id}`, date, amountMinor, ...texts }, { id, ...more });
}

const pairs = (kept: StoredRow[], arrived: StoredRow[]) => [...pairTransactions(kept, arrived)].sort();

describe('pairTransactions', () => {
  it('transactions of two listings of an account are paired by amount and day', () => {
    const kept = [row('k1', '2026-03-01', -500), row('k2', '2026-03-02', -700)];
    expect(pairs(kept, [row('a2', '2026-03-02', -700), row('a1', '2026-03-01', -500)])).toEqual([
      ['a1', 'k1'],
      ['a2', 'k2'],
    ]);
  });

  it('transactions with the same id are paired before those of the same day', () => {
    const kept = [row('k1', '2026-03-01', -500, { externalId: 'T' }), row('k2', '2026-03-09', -500)];
    expect(pairs(kept, [row('a', '2026-03-09', -500, { externalId: 'T' })])).toEqual([['a', 'k1']]);
  });

  it('transactions with the same id and different amounts are not paired', () => {
    const kept = [row('k', '2026-03-01', -500, { externalId: '1' })];
    expect(pairs(kept, [row('a', '2026-03-01', -900, { externalId: '1' })])).toEqual([]);
  });

  it('transactions dated a few days apart are paired if no transaction of the exact day matches', () => {
    const kept = [row('k1', '2026-03-01', -500), row('k2', '2026-03-03', -500), row('k3', '2026-03-09', -1)];
    const arrived = [row('a0', '2026-03-01', -2), row('a1', '2026-03-03', -500), row('a2', '2026-03-04', -500)];
    expect(pairs(kept, arrived)).toEqual([
      ['a1', 'k2'],
      ['a2', 'k1'],
    ]);
    expect(pairs(kept, [arrived[0]!, row('a', '2026-03-09', -500)])).toEqual([]);
  });

  it('transactions are not paired if one listing ends before the other begins', () => {
    expect(pairs([row('k', '2026-03-01', -290)], [row('a', '2026-03-03', -290)])).toEqual([]);
  });

  it.each([
    ['after the last day', '2026-03-08', '2026-03-10', '2026-03-11'],
    ['before the first day', '2026-03-12', '2026-03-09', '2026-03-10'],
  ])(
    'a transaction moved to a date %s that both listings have is paired only with one of equal texts',
    (_, shared, mine, theirs) => {
      const kept = [row('k1', shared, -1), row('k2', mine, -290)];
      const arrived = (description: string) => [row('a1', shared, -1), row('a2', theirs, -290, { description })];
      expect(pairs(kept, arrived('Shop'))).toEqual([
        ['a1', 'k1'],
        ['a2', 'k2'],
      ]);
      expect(pairs(kept, arrived('Metro'))).toEqual([['a1', 'k1']]);
    },
  );

  it('equal purchases of one day are paired one to one', () => {
    const kept = [row('k1', '2026-03-01', -400), row('k2', '2026-03-01', -400)];
    const arrived = [row('a1', '2026-03-01', -400), row('a2', '2026-03-01', -400), row('a3', '2026-03-01', -400)];
    expect(pairs(kept, arrived)).toEqual([
      ['a1', 'k1'],
      ['a2', 'k2'],
    ]);
  });

  it.each([
    ['another currency', row('a', '2026-03-01', -500, { currency: 'CAD' })],
    ['the opposite sign', row('a', '2026-03-01', 500)],
  ])('two transactions are not paired if one has %s', (_, arrived) => {
    expect(pairs([row('k', '2026-03-01', -500)], [arrived])).toEqual([]);
  });
});
