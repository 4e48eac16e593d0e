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
  isTimeZone,
  latest,
  unixSecondsOf,
} from './calendar-date.js';

describe('a calendar date', () => {
  it.each(['2024-02-29', '1970-01-01', '9999-12-31', '0001-01-01'])('%s is one', (text) => {
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
  ])('%j is none', (text) => {
    expect(isCalendarDate(text)).toBe(false);
  });

  it('counts over month, leap day and year', () => {
    expect(addDays('2024-02-28', 1)).toBe('2024-02-29');
    expect(addDays('2024-03-01', -1)).toBe('2024-02-29');
    expect(daysBetween('2023-12-31', '2024-01-02')).toBe(2);
  });

  it('is the first or the last of some', () => {
    const days = ['2024-01-31', '2023-12-31', '2024-02-01'] as const;
    expect([earliest(...days), latest(...days)]).toEqual(['2023-12-31', '2024-02-01']);
  });

  it('goes to a number and back', () => {
    fc.assert(
      fc.property(fc.integer({ min: -700_000, max: 2_900_000 }), (day) => {
        expect(dayNumber(dateOfDayNumber(day))).toBe(day);
      }),
    );
  });

  it('is the UTC day of an instant, and the local day for a person', () => {
    expect(dateOfUnixSeconds(1772452800)).toBe('2026-03-02');
    expect(unixSecondsOf('2026-03-02')).toBe(1772409600);
    const lateInLondon = new Date('2026-03-02T23:30:00Z');
    expect(dateInTimeZone(lateInLondon, 'Europe/London')).toBe('2026-03-02');
    expect(dateInTimeZone(lateInLondon, 'Asia/Tokyo')).toBe('2026-03-03');
    expect(dateInTimeZone(lateInLondon, 'America/Los_Angeles')).toBe('2026-03-02');
  });

  it('knows time zones by name', () => {
    expect(isTimeZone('Europe/Prague')).toBe(true);
    expect(isTimeZone('Mars/Olympus')).toBe(false);
    expect(isTimeZone('+02:00')).toBe(false);
  });
});
