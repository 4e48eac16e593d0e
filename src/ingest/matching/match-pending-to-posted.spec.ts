import type { SnapshotTransaction } from '../../bank-provider/bank-provider.js';
import { matchPendingToPosted, matchLatePending } from './match-pending-to-posted.js';

function row(externalId: string, date: string, amountMinor: number, currency = 'USD'): SnapshotTransaction {
  return { externalId, date, amountMinor, currency, description: '', merchant: null, pending: true };
}

const pending = row('pending', '2026-03-10', -4_200);
const pair = [{ pendingId: 'pending', postedId: 'posted' }];

describe('a pending transaction that is posted under a new id', () => {
  it('is found by amount and date once it is no longer listed', () => {
    expect(matchPendingToPosted([pending], [], [row('posted', '2026-03-12', -4_200)])).toEqual(pair);
  });

  it('is found while it is still listed beside the posted one', () => {
    expect(matchPendingToPosted([pending], [pending], [row('posted', '2026-03-12', -4_200)])).toEqual(pair);
    expect(matchPendingToPosted([], [pending], [row('posted', '2026-03-12', -4_200)])).toEqual(pair);
  });

  it('is not found while it is still listed, where the posted one names another merchant', () => {
    const bistro = { ...pending, merchant: 'Blue Bistro' };
    const posted = (merchant: string | null) => ({ ...row('posted', '2026-03-12', -4_200), merchant });
    expect(matchPendingToPosted([bistro], [bistro], [posted('Shell')])).toEqual([]);
    expect(matchPendingToPosted([bistro], [], [posted('Shell')])).toEqual(pair);
    for (const merchant of ['SQ *BLUE BISTRO 0442', null])
      expect(matchPendingToPosted([bistro], [bistro], [posted(merchant)])).toEqual(pair);
    const shell = { ...posted('Shell'), externalId: 'other' };
    expect(matchPendingToPosted([bistro], [bistro], [shell, posted('Blue Bistro')])).toEqual(pair);
  });

  it.each([
    ['another amount', row('posted', '2026-03-12', -5_040)],
    ['another currency', row('posted', '2026-03-12', -4_200, 'CAD')],
    ['an earlier day', row('posted', '2026-03-09', -4_200)],
    ['a day too late', row('posted', '2026-03-21', -4_200)],
    ['the other sign', row('posted', '2026-03-12', 4_200)],
  ])('is not assumed for %s', (_, posting) => {
    expect(matchPendingToPosted([pending], [], [posting])).toEqual([]);
  });

  describe('with another amount', () => {
    const meal = { ...row('pending', '2026-03-10', -4_200), merchant: 'Blue Bistro' };
    const withTip = { ...row('posted', '2026-03-12', -5_040), merchant: 'BLUE BISTRO' };

    it('is found by its merchant once it is no longer listed', () => {
      expect(matchPendingToPosted([meal], [], [withTip])).toEqual(pair);
    });

    it.each([
      ['it is still listed', [meal], [withTip]],
      ['the merchant differs', [], [{ ...withTip, merchant: 'Red Bistro' }]],
      ['it is a refund', [], [{ ...withTip, amountMinor: 5_040 }]],
      ['two posted ones could be meant', [], [withTip, { ...withTip, externalId: 'other', amountMinor: -700 }]],
      ['it is days too late', [], [{ ...withTip, date: '2026-03-21' }]],
    ])('is not assumed when %s', (_, listed, posted) => {
      expect(matchPendingToPosted([meal], listed, posted)).toEqual([]);
    });

    it('comes after equal amounts', () => {
      const second = { ...row('second', '2026-03-11', -1_000), merchant: 'Blue Bistro' };
      const posted = [withTip, { ...row('exact', '2026-03-12', -1_000), merchant: 'Blue Bistro' }];
      expect(matchPendingToPosted([meal, second], [], posted)).toEqual([
        { pendingId: 'second', postedId: 'exact' },
        ...pair,
      ]);
    });
  });

  it('is one of several equal ones: those listed last first, because their ids count them', () => {
    const rows = ['pending-1', 'pending-2', 'pending-3'].map((id) => row(id, '2026-03-10', -230));
    const [first, second] = [row('first', '2026-03-10', -230), row('second', '2026-03-12', -230)];
    expect(matchPendingToPosted([], rows, [first])).toEqual([{ pendingId: 'pending-3', postedId: 'first' }]);
    expect(matchPendingToPosted(rows, [], [first, second])).toEqual([
      { pendingId: 'pending-3', postedId: 'first' },
      { pendingId: 'pending-2', postedId: 'second' },
    ]);
    expect(matchPendingToPosted(rows.slice(0, 1), [], [first, second])).toEqual([]);
  });

  it('is one of more than a call may have arguments', () => {
    const rows = (prefix: string) =>
      Array.from({ length: 150_000 }, (_, index) => row(`${prefix}${index}`, '2026-03-10', index));
    expect(matchPendingToPosted([], rows('pending'), rows('posted'))).toHaveLength(150_000);
  });

  it('stays pending where two posted or two pending ones could be meant', () => {
    const posted = row('posted', '2026-03-12', -4_200);
    expect(matchPendingToPosted([pending], [], [posted, row('other', '2026-03-13', -4_200)])).toEqual([]);
    expect(matchPendingToPosted([pending, row('twin', '2026-03-11', -4_200)], [], [posted])).toEqual([]);
  });

  it('that is listed for the first time after it was posted must agree in its merchant, too', () => {
    const twin = { ...pending, merchant: 'Metro' };
    const posted = { ...row('posted', '2026-03-12', -4_200), merchant: 'Metro' };
    expect(matchLatePending([twin], [posted])).toEqual(pair);
    expect(matchLatePending([twin], [{ ...posted, merchant: 'Bakery' }])).toEqual([]);
    expect(matchLatePending([twin], [posted, { ...posted, externalId: 'other' }])).toEqual([]);
  });

  it('of two equal coffees is the one that is no longer listed', () => {
    const first = row('first', '2026-03-10', -400);
    const second = row('second', '2026-03-10', -400);
    expect(matchPendingToPosted([first, second], [second], [row('posted', '2026-03-11', -400)])).toEqual([
      { pendingId: 'first', postedId: 'posted' },
    ]);
  });
});
