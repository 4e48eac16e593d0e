import {
  completeUntil,
  coveredDaysText as text,
  daysBefore,
  missingDays,
  parseCoveredDays as days,
  settledDays,
  withDays,
} from './covered-days.js';

describe('covered days', () => {
  it.each([
    ['{}', { from: '2026-03-01', until: '2026-03-05' }, '{[2026-03-01,2026-03-05)}'],
    ['{}', { from: null, until: '2026-03-05' }, '{(,2026-03-05)}'],
    ['{}', { from: '2026-03-05', until: '2026-03-05' }, '{}'],
    ['{(,2026-03-05)}', { from: '2026-03-05', until: '2026-03-09' }, '{(,2026-03-09)}'],
    ['{(,2026-03-05)}', { from: '2026-03-06', until: '2026-03-09' }, '{(,2026-03-05),[2026-03-06,2026-03-09)}'],
    [
      '{[2026-03-07,2026-03-08)}',
      { from: '2026-03-01', until: '2026-03-03' },
      '{[2026-03-01,2026-03-03),[2026-03-07,2026-03-08)}',
    ],
    [
      '{[2026-03-01,2026-03-03),[2026-03-07,2026-03-08)}',
      { from: '2026-03-02', until: '2026-03-09' },
      '{[2026-03-01,2026-03-09)}',
    ],
    ['{[2026-03-01,2026-03-09)}', { from: null, until: '2026-03-05' }, '{(,2026-03-09)}'],
  ])('the days %s with those of another answer are one range where they touch', (before, range, after) => {
    expect(text(withDays(days(before), range))).toBe(after);
  });

  it('an account is complete until a day only if no day before it is missing', () => {
    expect(completeUntil(days('{(,2026-03-05),[2026-03-06,2026-03-09)}'))).toBe('2026-03-05');
    expect(completeUntil(days('{[2026-03-06,2026-03-09)}'))).toBeNull();
  });

  it('the days before a day end with it', () => {
    expect(text(daysBefore(days('{(,2026-03-05),[2026-03-06,2026-03-09)}'), '2026-03-07'))).toBe(
      '{(,2026-03-05),[2026-03-06,2026-03-07)}',
    );
    expect(text(daysBefore(days('{(,2026-03-05),[2026-03-06,2026-03-09)}'), '2026-03-06'))).toBe('{(,2026-03-05)}');
  });

  it.each([
    ['{}', [['2026-03-01', '2026-03-10']]],
    ['{(,2026-03-05)}', [['2026-03-05', '2026-03-10']]],
    [
      '{(,2026-03-02),[2026-03-04,2026-03-08)}',
      [
        ['2026-03-02', '2026-03-04'],
        ['2026-03-08', '2026-03-10'],
      ],
    ],
    ['{[2026-02-01,2026-03-04),[2026-03-20,2026-03-25)}', [['2026-03-04', '2026-03-10']]],
    ['{(,2026-03-20)}', []],
  ])('the missing days of a range of which %s are covered are those between', (covered, missing) => {
    const wanted = { from: '2026-03-01', until: '2026-03-10' };
    expect(missingDays(days(covered), wanted).map(({ from, until }) => [from, until])).toEqual(missing);
  });

  it('the last days before each gap are not settled', () => {
    const covered = days('{(,2026-03-05),[2026-03-06,2026-03-08),[2026-03-10,2026-03-20)}');
    expect(text(settledDays(covered, 5))).toBe('{(,2026-02-28),[2026-03-10,2026-03-15)}');
  });
});
