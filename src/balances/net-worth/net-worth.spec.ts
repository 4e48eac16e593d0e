import { dayNumber } from '../../time/calendar-date.js';
import { balancesOn, evenPoints, type Granularity, netWorth, pointsOf } from './net-worth.js';

const points = (from: string, to: string, granularity: Granularity) =>
  pointsOf(dayNumber(from), dayNumber(to), granularity);

describe('the points of a period', () => {
  it.each<[Granularity, string, string, string[]]>([
    ['day', '2026-03-01', '2026-03-03', ['2026-03-01', '2026-03-02', '2026-03-03']],
    ['week', '2026-03-01', '2026-03-11', ['2026-03-01', '2026-03-08', '2026-03-11']],
    ['month', '2026-01-31', '2026-03-15', ['2026-01-31', '2026-02-28', '2026-03-15']],
    ['month', '2024-02-01', '2024-02-29', ['2024-02-29']],
    ['week', '1969-12-28', '1969-12-28', ['1969-12-28']],
    ['week', '1969-12-27', '1970-01-05', ['1969-12-28', '1970-01-04', '1970-01-05']],
    ['day', '2026-03-02', '2026-03-01', []],
  ])('by %s from %s to %s', (granularity, from, to, expected) =>
    expect(points(from, to, granularity)).toEqual(expected),
  );
});

describe('evenly spread points of a period', () => {
  it('are at most so many, and the last day always', () => {
    const decade = evenPoints('2016-01-01', '2026-01-01', 400);
    expect([decade.length, decade[0], decade[1], decade.at(-1)]).toEqual([
      366,
      '2016-01-04',
      '2016-01-14',
      '2026-01-01',
    ]);
    expect(evenPoints('2026-03-01', '2026-03-03', 400)).toEqual(['2026-03-01', '2026-03-02', '2026-03-03']);
    expect(evenPoints('2026-03-05', '2026-03-05', 400)).toEqual(['2026-03-05']);
    expect(evenPoints('2026-03-06', '2026-03-05', 400)).toEqual(['2026-03-05']);
  });
});

describe('the balances of days', () => {
  const days = ['2026-02-27', '2026-02-28', '2026-03-02', '2026-03-03'];

  it('begin with the first one', () => {
    expect(balancesOn(days, { firstDate: '2026-02-28', balances: [5, 6] })).toEqual([null, 5, 6, null]);
    expect(balancesOn(days, { firstDate: '2026-03-04', balances: null })).toEqual([null, null, null, null]);
  });

  it('lie apart where the account had another currency meanwhile', () => {
    const known = { firstDate: '2026-02-27', balances: { '2026-02-27': 5, '2026-03-02': 6 } };
    expect(balancesOn(days, known)).toEqual([5, null, 6, null]);
  });
});

describe('net worth', () => {
  const days = ['2026-02-28', '2026-03-01', '2026-03-02'];
  const checking = {
    id: 'a',
    factor: 1,
    lastDate: '2026-03-02',
    balance: 700,
    isCarriedForward: true,
    leftOutFrom: null,
  } as const;
  const card = {
    id: 'b',
    factor: -1,
    lastDate: '2026-03-01',
    balance: 300,
    isCarriedForward: true,
    leftOutFrom: null,
  } as const;
  const balances = new Map([
    ['a', [null, 1_000, 700]],
    ['b', [null, 300, null]],
  ]);

  it('is assets less liabilities of the day, and the last balance of an account that is still synced is carried forward', () => {
    expect(netWorth(days, [checking, card], balances)).toEqual([
      { date: '2026-02-28', assets: 0, liabilities: 0 },
      { date: '2026-03-01', assets: 1_000, liabilities: 300 },
      { date: '2026-03-02', assets: 700, liabilities: 300 },
    ]);
  });

  it('ends with the history of an account that is not synced any more, and lacks one that is left out', () => {
    const ended = { ...card, isCarriedForward: false };
    const leftOut = { ...checking, leftOutFrom: '2026-03-02' };
    expect(netWorth(days, [leftOut, ended], balances).slice(1)).toEqual([
      { date: '2026-03-01', assets: 1_000, liabilities: 300 },
      { date: '2026-03-02', assets: 0, liabilities: 0 },
    ]);
  });
});
