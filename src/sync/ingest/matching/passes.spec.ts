import { planOf, storedRow } from '../../../../test/support/stored-rows.js';
import type { SnapshotTransaction } from '../../../providers/bank-provider.js';

function row(externalId: string, date: string, amountMinor: number, currency = 'USD'): SnapshotTransaction {
  return { externalId, date, amountMinor, currency, description: '', merchant: null, pending: true };
}

const pending = row('pending', '2026-03-10', -4_200);
/** The pending transactions that an answer posts, with their posted ones. */
function bookedPairs(
  stored: readonly SnapshotTransaction[],
  listed: readonly SnapshotTransaction[],
  posted: readonly SnapshotTransaction[],
) {
  const transactions = [...listed, ...posted.map((row) => ({ ...row, pending: false }))];
  const plan = planOf(
    stored.map((row) => storedRow(row)),
    { transactions },
  );
  const postedIds = new Set(posted.map(({ externalId }) => externalId));
  const ofStored = [...plan.holdIds].map(([id, pendingId]) => [pendingId, plan.externalIds.get(id)!] as const);
  const ofNew = plan.written.map(({ row, holdExternalId }) => [holdExternalId, row.externalId] as const);
  return [...ofStored, ...ofNew].flatMap(([pendingId, postedId]) =>
    pendingId !== null && postedIds.has(postedId) ? [{ pendingId, postedId }] : [],
  );
}

/** The pending transactions, listed for the first time, that are stored as posted. */
function latePairs(pending: readonly SnapshotTransaction[], posted: readonly SnapshotTransaction[]) {
  const stored = posted.map((row) => storedRow({ ...row, pending: false }));
  const { holdIds } = planOf(stored, { transactions: [...pending, ...stored] });
  return [...holdIds].map(([postedId, pendingId]) => ({ pendingId, postedId }));
}

const pair = [{ pendingId: 'pending', postedId: 'posted' }];

describe('a listing of pending transactions', () => {
  it('a pending transaction that is no longer listed matches a posted one of the same amount and a near date', () => {
    expect(bookedPairs([pending], [], [row('posted', '2026-03-12', -4_200)])).toEqual(pair);
  });

  it('a pending transaction matches a posted one of the same amount while both are listed', () => {
    expect(bookedPairs([pending], [pending], [row('posted', '2026-03-12', -4_200)])).toEqual(pair);
    expect(bookedPairs([], [pending], [row('posted', '2026-03-12', -4_200)])).toEqual(pair);
  });

  it('a pending transaction that is still listed does not match a posted one that names another merchant', () => {
    const bistro = { ...pending, merchant: 'Blue Bistro' };
    const posted = (merchant: string | null) => ({ ...row('posted', '2026-03-12', -4_200), merchant });
    expect(bookedPairs([bistro], [bistro], [posted('Shell')])).toEqual([]);
    expect(bookedPairs([bistro], [], [posted('Shell')])).toEqual(pair);
    for (const merchant of ['SQ *BLUE BISTRO 0442', null])
      expect(bookedPairs([bistro], [bistro], [posted(merchant)])).toEqual(pair);
    const shell = { ...posted('Shell'), externalId: 'other' };
    expect(bookedPairs([bistro], [bistro], [shell, posted('Blue Bistro')])).toEqual(pair);
  });

  it.each([
    ['another amount', row('posted', '2026-03-12', -5_040)],
    ['another currency', row('posted', '2026-03-12', -4_200, 'CAD')],
    ['an earlier day', row('posted', '2026-03-09', -4_200)],
    ['a date that is too late', row('posted', '2026-03-21', -4_200)],
    ['the opposite sign', row('posted', '2026-03-12', 4_200)],
  ])('a pending transaction does not match a posted one with %s', (_, posting) => {
    expect(bookedPairs([pending], [], [posting])).toEqual([]);
  });

  describe('a posted transaction with another amount', () => {
    const meal = { ...row('pending', '2026-03-10', -4_200), merchant: 'Blue Bistro' };
    const withTip = { ...row('posted', '2026-03-12', -5_040), merchant: 'BLUE BISTRO' };

    it('a pending transaction that is no longer listed matches a posted one with another amount and the same merchant', () => {
      expect(bookedPairs([meal], [], [withTip])).toEqual(pair);
    });

    it.each([
      ['it is still listed', [meal], [withTip]],
      ['the merchant differs', [], [{ ...withTip, merchant: 'Red Bistro' }]],
      ['the posted one is a refund', [], [{ ...withTip, amountMinor: 5_040 }]],
      ['two posted ones are candidates', [], [withTip, { ...withTip, externalId: 'other', amountMinor: -700 }]],
      ['the posted one is too late', [], [{ ...withTip, date: '2026-03-21' }]],
    ])('a pending transaction does not match a posted one with another amount if %s', (_, listed, posted) => {
      expect(bookedPairs([meal], listed, posted)).toEqual([]);
    });

    it('posted transactions of the same amount are matched before those with another amount', () => {
      const second = { ...row('second', '2026-03-11', -1_000), merchant: 'Blue Bistro' };
      const posted = [withTip, { ...row('exact', '2026-03-12', -1_000), merchant: 'Blue Bistro' }];
      expect(bookedPairs([meal, second], [], posted)).toEqual([...pair, { pendingId: 'second', postedId: 'exact' }]);
    });
  });

  describe('a posted transaction with another amount whose description begins with the pending one', () => {
    const text = (of: SnapshotTransaction, description: string, more = {}) => ({ ...of, description, ...more });
    const meal = text(pending, 'BASIL HOUSE');
    const tipped = row('posted', '2026-03-12', -5_040);
    const withTip = text(tipped, 'Basil House  Springfield');

    it('a pending transaction that is no longer listed matches a posted one whose description begins with its own', () => {
      expect(bookedPairs([meal], [], [withTip])).toEqual(pair);
      expect(bookedPairs([meal], [], [text(tipped, 'BASIL HOUSE* 0442', { merchant: 'Basil' })])).toEqual(pair);
      // The text of a row that equals it counts first.
      const same = text(row('same', '2026-03-12', -700), 'BASIL HOUSE');
      expect(bookedPairs([meal], [], [withTip, same])).toEqual([{ pendingId: 'pending', postedId: 'same' }]);
    });

    it.each([
      ['it is still listed', [meal], [meal], [withTip]],
      ['its description ends inside a word of the posted one', [meal], [], [text(tipped, 'BASIL HOUSEWARES')]],
      ['its words are not at the beginning of the posted one', [meal], [], [text(tipped, 'SQ BASIL HOUSE')]],
      [
        'its description is the longer one',
        [text(pending, 'BASIL HOUSE SPRINGFIELD')],
        [],
        [text(tipped, 'BASIL HOUSE')],
      ],
      ['its merchant is known', [text(meal, 'BASIL HOUSE', { merchant: 'Leaf' })], [], [withTip]],
      ['it names no merchant', [text(pending, 'CARD PURCHASE 0442')], [], [text(tipped, 'CARD PURCHASE 0442 BAKERY')]],
      ['it has no words', [text(pending, '***')], [], [withTip]],
      ['the posted one is a refund', [meal], [], [text(row('posted', '2026-03-12', 5_040), 'BASIL HOUSE SPRINGFIELD')]],
      ['the posted one is in another currency', [meal], [], [text(withTip, withTip.description, { currency: 'CAD' })]],
      ['the posted one is too late', [meal], [], [text(withTip, withTip.description, { date: '2026-03-21' })]],
      [
        'two posted ones are candidates',
        [meal],
        [],
        [withTip, text(row('other', '2026-03-13', -900), 'BASIL HOUSE 2')],
      ],
      ['two pending ones are candidates', [meal, text(row('p2', '2026-03-11', -500), 'BASIL')], [], [withTip]],
      [
        'only a pending one of a date too far away has the same beginning',
        [text(row('p2', '2026-03-01', -500), 'BASIL'), meal],
        [],
        [text(tipped, 'BASIL LEAF')],
      ],
    ])('a pending transaction does not match a posted one by description if %s', (_, stored, listed, posted) => {
      expect(bookedPairs(stored, listed, posted)).toEqual([]);
    });

    it('a pending transaction never matches by description a posted one that does not begin with that description', () => {
      const words = ['BASIL', 'HOUSE', 'LEAF', 'CARD', '0442'];
      let seed = 7;
      const next = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
      const anyRow = (id: string, amountMinor: number) =>
        text(
          row(id, `2026-03-${10 + next(9)}`, amountMinor),
          Array.from({ length: 1 + next(3) }, () => words[next(words.length)]).join(' '),
        );
      let found = 0;
      for (let round = 0; round < 300; round++) {
        const stored = [1, 2, 3].map((n) => anyRow(`h${n}`, -n));
        const posted = [1, 2, 3].map((n) => anyRow(`p${n}`, -10 * n));
        const pairs = bookedPairs(stored, [], posted);
        found += pairs.length;
        expect(new Set(pairs.map(({ postedId }) => postedId)).size).toBe(pairs.length);
        for (const { pendingId, postedId } of pairs) {
          const of = (rows: SnapshotTransaction[], id: string) => rows.find(({ externalId }) => externalId === id)!;
          const beginning = of(stored, pendingId).description;
          expect(`${of(posted, postedId).description} `.startsWith(`${beginning} `)).toBe(true);
        }
      }
      expect(found).toBeGreaterThan(0);
    });
  });

  it('of several equal pending transactions, a posted one replaces the one listed last', () => {
    const rows = ['pending-1', 'pending-2', 'pending-3'].map((id) => row(id, '2026-03-10', -230));
    const [first, second] = [row('first', '2026-03-10', -230), row('second', '2026-03-12', -230)];
    expect(bookedPairs([], rows, [first])).toEqual([{ pendingId: 'pending-3', postedId: 'first' }]);
    expect(bookedPairs(rows, [], [first, second])).toEqual([
      { pendingId: 'pending-3', postedId: 'first' },
      { pendingId: 'pending-2', postedId: 'second' },
    ]);
    expect(bookedPairs(rows.slice(0, 1), [], [first, second])).toEqual([]);
  });

  it('more pending transactions are matched than a function call may have arguments', () => {
    const rows = (prefix: string) =>
      Array.from({ length: 150_000 }, (_, index) => row(`${prefix}${index}`, '2026-03-10', index));
    expect(bookedPairs([], rows('pending'), rows('posted'))).toHaveLength(150_000);
  });

  it('a pending transaction stays pending if two posted ones, or it and another pending one, are candidates', () => {
    const posted = row('posted', '2026-03-12', -4_200);
    expect(bookedPairs([pending], [], [posted, row('other', '2026-03-13', -4_200)])).toEqual([]);
    expect(bookedPairs([pending, row('twin', '2026-03-11', -4_200)], [], [posted])).toEqual([]);
  });

  it('a pending transaction first listed after it was posted matches only a posted one of the same merchant', () => {
    const twin = { ...pending, merchant: 'Metro' };
    const posted = { ...row('posted', '2026-03-12', -4_200), merchant: 'Metro' };
    expect(latePairs([twin], [posted])).toEqual(pair);
    expect(latePairs([twin], [{ ...posted, merchant: 'Bakery' }])).toEqual([]);
    expect(latePairs([twin], [posted, { ...posted, externalId: 'other' }])).toEqual([]);
  });

  it('of two identical pending purchases, the posted one replaces the one that the bank no longer lists', () => {
    const first = row('first', '2026-03-10', -400);
    const second = row('second', '2026-03-10', -400);
    expect(bookedPairs([first, second], [second], [row('posted', '2026-03-11', -400)])).toEqual([
      { pendingId: 'first', postedId: 'posted' },
    ]);
  });
});
