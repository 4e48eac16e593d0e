import { dayNumber } from '../../platform/time/calendar-date.js';
import { balancesOn, evenPoints, type Granularity, netWorth, pointsOf, type UncertainRange } from './net-worth.js';

const points = (from: string, to: string, granularity: Granularity) =>
  pointsOf(dayNumber(from), dayNumber(to), granularity);

describe('pointsOf', () => {
  it.each<[Granularity, string, string, string[]]>([
    ['day', '2026-03-01', '2026-03-03', ['2026-03-01', '2026-03-02', '2026-03-03']],
    ['week', '2026-03-01', '2026-03-11', ['2026-03-01', '2026-03-08', '2026-03-11']],
    ['month', '2026-01-31', '2026-03-15', ['2026-01-31', '2026-02-28', '2026-03-15']],
    ['month', '2024-02-01', '2024-02-29', ['2024-02-29']],
    ['week', '1969-12-28', '1969-12-28', ['1969-12-28']],
    ['week', '1969-12-27', '1970-01-05', ['1969-12-28', '1970-01-04', '1970-01-05']],
    ['day', '2026-03-02', '2026-03-01', []],
  ])('the points by %s from %s to %s are %j', (granularity, from, to, expected) =>
    expect(points(from, to, granularity)).toEqual(expected),
  );
});

describe('evenPoints', () => {
  it('evenly spread points are at most as many as the limit, and always include the first and the last day', () => {
    const decade = evenPoints('2016-01-01', '2026-01-01', 400);
    expect([decade.length, decade[0], decade[1], decade.at(-1)]).toEqual([
      367,
      '2016-01-01',
      '2016-01-04',
      '2026-01-01',
    ]);
    expect(evenPoints('2026-03-01', '2026-03-03', 400)).toEqual(['2026-03-01', '2026-03-02', '2026-03-03']);
    expect(evenPoints('2026-03-05', '2026-03-05', 400)).toEqual(['2026-03-05']);
    expect(evenPoints('2026-03-06', '2026-03-05', 400)).toEqual(['2026-03-05']);
  });
});

describe('balancesOn', () => {
  const days = ['2026-02-27', '2026-02-28', '2026-03-02', '2026-03-03'];

  it('the balances of an account are null before its first day and after its last', () => {
    expect(balancesOn(days, { firstDate: '2026-02-28', balances: [5, 6] })).toEqual([null, 5, 6, null]);
    expect(balancesOn(days, { firstDate: '2026-03-04', balances: null })).toEqual([null, null, null, null]);
  });

  it('the balances of an account are null on days on which it had another currency', () => {
    const known = { firstDate: '2026-02-27', balances: { '2026-02-27': 5, '2026-03-02': 6 } };
    expect(balancesOn(days, known)).toEqual([5, null, 6, null]);
  });
});

describe('netWorth', () => {
  const days = ['2026-02-28', '2026-03-01', '2026-03-02'];
  const checking = {
    id: 'a',
    factor: 1,
    lastDate: '2026-03-02',
    balance: 700,
    isCarriedForward: true,
    leftOutFrom: null,
    uncertain: [],
  } as const;
  const card = {
    id: 'b',
    factor: -1,
    lastDate: '2026-03-01',
    balance: 300,
    isCarriedForward: true,
    leftOutFrom: null,
    uncertain: [],
  } as const;
  const balances = new Map([
    ['a', [null, 1_000, 700]],
    ['b', [null, 300, null]],
  ]);

  it('net worth is assets less liabilities, with the last balance of a synced account carried forward', () => {
    expect(netWorth(days, [checking, card], balances)).toEqual([
      { date: '2026-02-28', assets: 0, liabilities: 0, below: 0, above: 0 },
      { date: '2026-03-01', assets: 1_000, liabilities: 300, below: 0, above: 0 },
      { date: '2026-03-02', assets: 700, liabilities: 300, below: 0, above: 0 },
    ]);
  });

  it('net worth omits an account that is not synced any more after its last day, and one that is left out', () => {
    const ended = { ...card, isCarriedForward: false };
    const leftOut = { ...checking, leftOutFrom: '2026-03-02' };
    expect(netWorth(days, [leftOut, ended], balances).slice(1)).toEqual([
      { date: '2026-03-01', assets: 1_000, liabilities: 300, below: 0, above: 0 },
      { date: '2026-03-02', assets: 0, liabilities: 0, below: 0, above: 0 },
    ]);
  });

  it('net worth may be less and more by what is in doubt of each account, of a debt the other way round', () => {
    const doubted = (account: typeof checking | typeof card, ...uncertain: UncertainRange[]) => ({
      ...account,
      uncertain,
    });
    const one = doubted(
      checking,
      ['2026-02-20', '2026-03-01', 'estimated', -25],
      ['2026-03-02', '2026-03-02', 'unknown', null],
    );
    const other = doubted(card, ['2026-03-01', '2026-03-02', 'estimated', -30]);
    expect(netWorth(days, [one, other], balances).map(({ below, above }) => [below, above])).toEqual([
      [0, 0],
      [25, 30],
      [0, 30],
    ]);
    const leftOut = { ...one, leftOutFrom: '2026-03-02' };
    expect(netWorth(days, [leftOut], balances).map(({ below }) => below)).toEqual([0, 25, 0]);
  });
});
