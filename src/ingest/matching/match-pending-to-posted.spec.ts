import type { SnapshotTransaction } from '../../bank-provider/bank-provider.js';
import { matchHolds, matchLateTwins } from './match-pending-to-posted.js';

function row(externalId: string, date: string, amountMinor: number, currency = 'USD'): SnapshotTransaction {
  return { externalId, date, amountMinor, currency, description: '', merchant: null, pending: true };
}

const hold = row('hold', '2026-03-10', -4_200);
const pair = [{ holdId: 'hold', bookedId: 'booked' }];

describe('a hold booked under a new id', () => {
  it('is found by amount and date once the hold is not listed any more', () => {
    expect(matchHolds([hold], [], [row('booked', '2026-03-12', -4_200)])).toEqual(pair);
  });

  it('is found while the hold is still listed beside its booking', () => {
    expect(matchHolds([hold], [hold], [row('booked', '2026-03-12', -4_200)])).toEqual(pair);
    expect(matchHolds([], [hold], [row('booked', '2026-03-12', -4_200)])).toEqual(pair);
  });

  it.each([
    ['another amount', row('booked', '2026-03-12', -5_040)],
    ['another currency', row('booked', '2026-03-12', -4_200, 'CAD')],
    ['an earlier day', row('booked', '2026-03-09', -4_200)],
    ['a day too late', row('booked', '2026-03-21', -4_200)],
    ['the other sign', row('booked', '2026-03-12', 4_200)],
  ])('is not assumed for %s', (_, booking) => {
    expect(matchHolds([hold], [], [booking])).toEqual([]);
  });

  it('is one of several equal holds, whichever: those listed last first, since their ids count them', () => {
    const holds = ['hold-1', 'hold-2', 'hold-3'].map((id) => row(id, '2026-03-10', -230));
    const [first, second] = [row('first', '2026-03-10', -230), row('second', '2026-03-12', -230)];
    expect(matchHolds([], holds, [first])).toEqual([{ holdId: 'hold-3', bookedId: 'first' }]);
    expect(matchHolds(holds, [], [first, second])).toEqual([
      { holdId: 'hold-3', bookedId: 'first' },
      { holdId: 'hold-2', bookedId: 'second' },
    ]);
    expect(matchHolds(holds.slice(0, 1), [], [first, second])).toEqual([]);
  });

  it('stays open where two bookings or two holds could be meant', () => {
    const booked = row('booked', '2026-03-12', -4_200);
    expect(matchHolds([hold], [], [booked, row('other', '2026-03-13', -4_200)])).toEqual([]);
    expect(matchHolds([hold, row('twin', '2026-03-11', -4_200)], [], [booked])).toEqual([]);
  });

  it('that is listed for the first time after its booking is known by its merchant, too', () => {
    const twin = { ...hold, merchant: 'Metro' };
    const booked = { ...row('booked', '2026-03-12', -4_200), merchant: 'Metro' };
    expect(matchLateTwins([twin], [booked])).toEqual(pair);
    expect(matchLateTwins([twin], [{ ...booked, merchant: 'Bakery' }])).toEqual([]);
    expect(matchLateTwins([twin], [booked, { ...booked, externalId: 'other' }])).toEqual([]);
  });

  it('of two equal coffees is the one that is not listed any more', () => {
    const first = row('first', '2026-03-10', -400);
    const second = row('second', '2026-03-10', -400);
    expect(matchHolds([first, second], [second], [row('booked', '2026-03-11', -400)])).toEqual([
      { holdId: 'first', bookedId: 'booked' },
    ]);
  });
});
