import { planOf, storedRow } from '../../../../test/support/stored-rows.js';
import type { SnapshotTransaction } from '../../../providers/bank-provider.js';
import type { Listing } from './pair-rows.js';

function row(externalId: string, date: string, amountMinor: number, more: Partial<SnapshotTransaction> = {}) {
  return {
    externalId,
    date,
    amountMinor,
    currency: 'USD',
    description: 'Shop',
    merchant: null,
    pending: false,
    ...more,
  };
}

/** What becomes of stored transactions that are not listed. */
function judgeAll(
  lost: readonly SnapshotTransaction[],
  listed: readonly SnapshotTransaction[],
  inserted: readonly SnapshotTransaction[] = [],
  more: Partial<Listing> = {},
) {
  const stored = [...listed, ...lost].map((row) => storedRow(row));
  const plan = planOf(stored, { transactions: [...listed, ...inserted], ...more });
  const externalIdOf = (id: string) => plan.written.find((written) => written.id === id)!.row.externalId;
  const reissued = [...plan.externalIds].map(([id, externalId]) => [id, externalId] as const);
  const superseding = [...plan.withdrawn].flatMap(([id, by]) => (by === null ? [] : [[id, externalIdOf(by)] as const]));
  return {
    withdrawn: [...plan.withdrawn.keys()],
    reissued: new Map(reissued),
    superseding: new Map(superseding),
    lacking: plan.lacking,
  };
}

const OLD = row('old', '2026-03-01', -1);
const LOST = row('lost', '2026-03-10', -4_200);

/** What becomes of `LOST` when new rows are listed in its place. */
function judge(...inserted: SnapshotTransaction[]) {
  return judgeAll([LOST], [OLD], inserted);
}

describe('a listing without a stored transaction', () => {
  it('a missing transaction is withdrawn if no new one replaces it', () => {
    expect(judge()).toMatchObject({ withdrawn: ['lost'], reissued: new Map(), superseding: new Map() });
  });

  it.each([
    ['a later date', row('new', '2026-03-12', -4_200)],
    ['an earlier date', row('new', '2026-03-05', -4_200)],
    ['a date ten days earlier', row('new', '2026-02-28', -4_200)],
    ['other texts', row('new', '2026-03-11', -4_200, { description: 'SHOP 0442', merchant: 'Shop' })],
  ])('a missing transaction is re-issued as a new one of the same amount with %s', (_, inserted) => {
    expect(judge(inserted)).toMatchObject({ withdrawn: [], reissued: new Map([['lost', 'new']]) });
  });

  it.each([
    ['dated too far away', row('new', '2026-02-27', -4_200)],
    ['dated a week earlier with other texts', row('new', '2026-03-03', -4_200, { description: 'SHOP 0442' })],
    ['in another currency', row('new', '2026-03-10', -4_200, { currency: 'EUR' })],
    ['pending', row('new', '2026-03-10', -4_200, { pending: true })],
    ['of the opposite sign', row('new', '2026-03-10', 4_200)],
  ])('a missing transaction is withdrawn if the only new one is %s', (_, inserted) => {
    expect(judge(inserted)).toMatchObject({ withdrawn: ['lost'], reissued: new Map(), superseding: new Map() });
  });

  it('a missing transaction matches the nearest of several with equal texts, and none of several with other texts', () => {
    const [near, far] = [row('near', '2026-03-11', -4_200), row('far', '2026-03-13', -4_200)];
    expect(judge(far, near).reissued).toEqual(new Map([['lost', 'near']]));
    expect(judge({ ...far, description: 'A' }, { ...near, description: 'B' }).reissued.size).toBe(0);
  });

  it('a missing transaction is superseded by the only new one with equal texts and another amount', () => {
    const final = row('new', '2026-03-11', -4_350);
    expect(judge(final)).toMatchObject({ withdrawn: ['lost'], superseding: new Map([['lost', 'new']]) });
    expect(judge(final, row('other', '2026-03-12', -9)).superseding.size).toBe(0);
  });

  it('thousands of missing and new transactions of one amount are matched without comparing every pair', () => {
    let compared = 0;
    const counted = (prefix: string, description: string) =>
      Array.from({ length: 1_000 }, (_, index) => {
        const one = row(`${prefix}${index}`, '2026-03-10', -4_200, { description });
        return {
          ...one,
          get date() {
            compared++;
            return one.date;
          },
        };
      });
    const [lost, inserted] = [counted('lost', 'Shop'), counted('new', 'SHOP 0442')];
    expect(judgeAll(lost, [OLD], inserted).reissued.size).toBe(0);
    expect(compared).toBeLessThan(200_000);
  });

  it('missing transactions are not matched if too few new ones could replace them', () => {
    let read = 0;
    const lost = Array.from({ length: 100 }, (_, index) => ({
      ...row(`lost${index}`, '2026-03-10', -4_200),
      get description() {
        read++;
        return 'Shop';
      },
    }));
    const inserted = Array.from({ length: 40 }, (_, index) => row(`new${index}`, '2026-03-10', -4_200));
    const verdict = judgeAll(lost, [OLD], inserted);
    expect(verdict).toMatchObject({ withdrawn: [], lacking: { missingCount: 60, listedCount: 41 } });
    expect(read).toBeLessThan(500);
  });

  it('a missing transaction is kept if it is dated in the first days of the covered period or after today', () => {
    const judgeDay = (date: string) =>
      judgeAll([row('lost', date, -5)], [OLD], [], { covered: [{ from: '2026-03-01', until: '2026-03-15' }] })
        .withdrawn;
    expect(['2026-03-11', '2026-03-12', '2026-03-15', '2026-03-16'].map((date) => judgeDay(date).length)).toEqual([
      0, 1, 1, 0,
    ]);
  });

  describe('an account whose bank lists recent days only', () => {
    const recent = Array.from({ length: 15 }, (_, day) =>
      row(`r${day}`, `2026-03-${String(day + 1).padStart(2, '0')}`, -1),
    );
    const since = (from: string, lost: string[], ...early: string[]) =>
      judgeAll(
        lost.map((date) => row(`lost ${date}`, date, -2)),
        [...early.map((date) => row(`early ${date}`, date, -3)), ...recent],
        [],
        { covered: [{ from, until: '2026-03-15' }] },
      ).withdrawn;
    const WEEK = ['22', '23', '24', '25', '26', '27', '28'].map((day) => `2026-02-${day}`);

    it('missing transactions older than the list are kept although one row from before the covered period is listed', () => {
      expect(since('2026-02-01', WEEK, '2025-03-15')).toEqual([]);
    });

    it('missing transactions older than the list are kept if fewer older transactions are listed than are missing', () => {
      expect(since('2025-11-01', WEEK, '2025-12-20')).toEqual([]);
      expect(since('2025-11-01', WEEK, '2025-11-10', '2025-11-15', '2026-02-15')).toEqual([]);
      expect(since('2025-11-01', ['2026-01-20', ...WEEK], '2025-11-10', '2026-02-15')).toEqual([]);
    });

    it('a single missing transaction is kept if the listed ones before and after it are more than a month apart', () => {
      expect(since('2025-11-01', ['2026-02-20'], '2026-01-15')).toEqual([]);
      // 32 and 31 days before the next one.
      expect(since('2025-11-01', ['2026-02-20'], '2026-01-28')).toEqual([]);
      expect(since('2025-11-01', ['2026-02-20'], '2026-01-29')).toHaveLength(1);
    });

    it('missing transactions are withdrawn if the list continues before them', () => {
      expect(since('2025-11-01', WEEK.slice(-1), '2026-02-20')).toHaveLength(1);
      expect(since('2025-11-01', WEEK.slice(-2), '2026-02-18', '2026-02-19', '2026-02-20')).toHaveLength(2);
    });
  });

  it('all missing transactions are kept if more than half of an account is missing, unless there are only two', () => {
    const lost = (count: number) =>
      Array.from({ length: count }, (_, index) => row(`lost${index}`, '2026-03-10', index));
    const judgeCount = (count: number) => judgeAll(lost(count), [OLD]);
    expect(judgeCount(2)).toMatchObject({ withdrawn: ['lost0', 'lost1'], lacking: null });
    expect(judgeCount(3)).toMatchObject({ withdrawn: [], lacking: { missingCount: 3, listedCount: 1 } });
  });
});
