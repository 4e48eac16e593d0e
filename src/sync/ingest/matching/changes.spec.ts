import { planOf, storedRow } from '../../../../test/support/stored-rows.js';
import type { SnapshotTransaction } from '../../../providers/bank-provider.js';

function row(externalId: string, more: Partial<SnapshotTransaction> = {}): SnapshotTransaction {
  const what = { amountMinor: -4_200, currency: 'USD', description: 'Coffee', merchant: null };
  return { externalId, date: '2026-03-10', ...what, pending: false, ...more };
}

const held = storedRow(row('held', { pending: true }));
const coffees = [storedRow(row('one')), storedRow(row('two', { date: '2026-03-11' })), storedRow(row('three'))];

describe('an answer that has only changes', () => {
  it('changes leave transactions alone that they do not name', () => {
    const plan = planOf([...coffees, held], { removed: [], transactions: [row('four')] });
    expect(plan).toMatchObject({ added: 1, updated: 0, expired: [], missing: [], lacking: null, isSettled: true });
    expect(plan.written.map(({ row }) => row.externalId)).toEqual(['four']);
    expect([plan.withdrawn.size, plan.externalIds.size]).toEqual([0, 0]);
  });

  it('changes withdraw what they name, even if it is everything', () => {
    const plan = planOf([...coffees, held], { removed: ['one', 'two', 'three', 'held', 'unknown'] });
    expect([...plan.withdrawn.keys()]).toEqual(['one', 'two', 'three']);
    expect([...plan.ended.values()]).toEqual(['withdrawn', 'withdrawn', 'withdrawn']);
    expect(plan.expired).toEqual(['held']);
  });

  it('a transaction that changes name again stays one under its new values', () => {
    const plan = planOf(coffees, { removed: ['two'], transactions: [row('two', { amountMinor: -5_000 })] });
    expect(plan).toMatchObject({ added: 0, updated: 1 });
    expect([...plan.ended]).toEqual([['two', 'changed']]);
  });

  it('a transaction that is removed and comes under another id stays one', () => {
    const plan = planOf(coffees, { removed: ['one'], transactions: [row('other')] });
    expect([plan.added, plan.withdrawn.size, [...plan.externalIds]]).toEqual([0, 0, [['one', 'other']]]);
  });

  it('two changed transactions that swap their values are not taken for a bank that numbers its rows', () => {
    const stored = [storedRow(row('a', { amountMinor: -1 })), storedRow(row('b', { amountMinor: -2 }))];
    const swapped = [row('a', { amountMinor: -2 }), row('b', { amountMinor: -1 })];
    expect(planOf(stored, { removed: [], transactions: swapped })).toMatchObject({ added: 0, updated: 2 });
  });
});

describe('a posted transaction whose vendor names the pending one', () => {
  it.each([
    ['changes', { removed: [] }],
    ['a list', {}],
  ])('%s make one of both, whatever else differs', (_, kind) => {
    const posted = row('posted', { date: '2026-05-20', amountMinor: -9_900, description: 'Hotel', pendingId: 'held' });
    const lookalike = row('lookalike', { pendingId: 'unknown' });
    const plan = planOf([held], { ...kind, transactions: [lookalike, posted] }, '2026-05-21');
    expect([...plan.holdIds]).toEqual([['held', 'held']]);
    expect([...plan.externalIds]).toEqual([['held', 'posted']]);
    expect(plan).toMatchObject({ added: 1, updated: 1, expired: [] });
  });
});
