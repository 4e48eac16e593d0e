import { dayNumber } from '../../time/calendar-date.js';
import { evenPoints, type Granularity, netWorth, pointsOf } from './net-worth.js';

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

describe('net worth', () => {
  it('is assets less liabilities of the day, and a balance that is known no further goes on', () => {
    const sums = { 1: { '2026-03-01': 1_000, '2026-03-02': 700 }, [-1]: { '2026-03-01': 300 } };
    const lastKnown = [{ lastDate: '2026-03-01', factor: -1, balance: 300 }] as const;
    expect(netWorth(['2026-02-28', '2026-03-01', '2026-03-02'], sums, lastKnown)).toEqual([
      { date: '2026-02-28', assets: 0, liabilities: 0 },
      { date: '2026-03-01', assets: 1_000, liabilities: 300 },
      { date: '2026-03-02', assets: 700, liabilities: 300 },
    ]);
  });
});
