import { jest } from '@jest/globals';
import fc from 'fast-check';
import {
  addDays,
  dateInTimeZone,
  dateOfDayNumber,
  dateOfUnixSeconds,
  dayNumber,
  daysBetween,
  earliest,
  isCalendarDate,
  latest,
  unixSecondsOf,
} from './calendar-date.js';

/** The days that a clock in the zone shows around one, each as often as it comes. */
function daysAround(zone: string, day: string): string[] {
  const noon = Date.parse(`${day}T12:00:00Z`);
  const offset = daysBetween(dateInTimeZone(new Date(noon), zone), day);
  const days = Array.from({ length: 2 * 2 * 24 * 6 + 1 }, (_, index) =>
    dateInTimeZone(new Date(noon + (offset * 24 * 6 + index - 2 * 24 * 6) * 600_000), zone),
  );
  return days.filter((shown, index) => shown !== days[index - 1]);
}

describe('calendar dates', () => {
  it.each(['2024-02-29', '1970-01-01', '9999-12-31', '0001-01-01'])('%s is a calendar date', (text) => {
    expect(isCalendarDate(text)).toBe(true);
  });

  it.each([
    '2023-02-29',
    '2024-2-9',
    '2024-13-01',
    '2024-00-10',
    '0000-01-01',
    '2024-01-01T00:00:00Z',
    ' 2024-01-01',
    '',
  ])('%j is not a calendar date', (text) => {
    expect(isCalendarDate(text)).toBe(false);
  });

  it('adding and subtracting days works across months, leap days and years', () => {
    expect(addDays('2024-02-28', 1)).toBe('2024-02-29');
    expect(addDays('2024-03-01', -1)).toBe('2024-02-29');
    expect(daysBetween('2023-12-31', '2024-01-02')).toBe(2);
  });

  it('the earliest and the latest of several dates are found', () => {
    const days = ['2024-01-31', '2023-12-31', '2024-02-01'] as const;
    expect([earliest(...days), latest(...days)]).toEqual(['2023-12-31', '2024-02-01']);
  });

  it('a date is converted to a day number and back', () => {
    fc.assert(
      fc.property(fc.integer({ min: -700_000, max: 2_900_000 }), (day) => {
        expect(dayNumber(dateOfDayNumber(day))).toBe(day);
      }),
    );
  });

  it('an instant has a date in UTC, and one in each timezone', () => {
    expect(dateOfUnixSeconds(1772452800)).toBe('2026-03-02');
    expect(unixSecondsOf('2026-03-02')).toBe(1772409600);
    const lateInLondon = new Date('2026-03-02T23:30:00Z');
    expect(dateInTimeZone(lateInLondon, 'Europe/London')).toBe('2026-03-02');
    expect(dateInTimeZone(lateInLondon, 'Asia/Tokyo')).toBe('2026-03-03');
    expect(dateInTimeZone(lateInLondon, 'America/Los_Angeles')).toBe('2026-03-02');
  });

  it('a date is the same however its timezone is spelled, with one cached formatter', () => {
    const instant = new Date('2026-03-02T23:30:00Z');
    dateInTimeZone(instant, 'Europe/Prague');
    const made = jest.spyOn(Intl, 'DateTimeFormat');
    const days = ['eUROPE/pRAGUE', 'EUROPE/PRAGUE', 'europe/prague'].map((zone) => dateInTimeZone(instant, zone));
    const formats = made.mock.calls.length;
    made.mockRestore();
    expect([days, formats]).toEqual([['2026-03-03', '2026-03-03', '2026-03-03'], 0]);
  });

  it.each([
    ['America/Sao_Paulo', '2018-11-04', 'midnight does not exist'],
    ['America/Sao_Paulo', '2018-02-18', 'the hour before midnight comes twice'],
    ['America/Havana', '2026-03-08', 'midnight does not exist'],
    ['Europe/Berlin', '2026-03-29', 'an hour is missing'],
    ['Europe/Berlin', '2026-10-25', 'an hour comes twice'],
    ['Australia/Lord_Howe', '2026-04-05', 'half an hour comes twice'],
    ['Antarctica/Troll', '2026-03-29', 'two hours are missing'],
  ])('each date comes once in %s around %s, where %s', (zone, day) => {
    expect(daysAround(zone, day)).toEqual([-2, -1, 0, 1, 2].map((days) => addDays(day, days)));
  });

  it('a date does not exist where a country moved across the date line', () => {
    expect(daysAround('Pacific/Apia', '2011-12-30')).toEqual([
      '2011-12-27',
      '2011-12-28',
      '2011-12-29',
      '2011-12-31',
      '2012-01-01',
    ]);
  });
});
