import fc from 'fast-check';
import { tenthOfExamples } from '../../../test/support/tier.js';
import { countRecords, type DayRange, rangeOfPage } from './page-of-days.js';

const anyRanges = fc
  .array(fc.record({ firstDay: fc.integer({ min: 0, max: 60 }), days: fc.integer({ min: 1, max: 40 }) }), {
    maxLength: 8,
  })
  .map((drawn) => drawn.map(({ firstDay, days }): DayRange => ({ firstDay, lastDay: firstDay + days - 1 })));

/** Every record, written out and sorted as the list promises. */
function everyRecord(ranges: readonly DayRange[]) {
  const records = ranges.flatMap(({ firstDay, lastDay }, account) =>
    Array.from({ length: lastDay - firstDay + 1 }, (_, index) => ({ account, day: firstDay + index })),
  );
  return records.sort((a, b) => b.day - a.day || a.account - b.account);
}

describe('rangeOfPage', () => {
  it('every page has the records that sorting all records would give', () => {
    fc.assert(
      fc.property(
        anyRanges,
        fc.integer({ min: 0, max: 350 }),
        fc.integer({ min: 1, max: 30 }),
        (ranges, offset, limit) => {
          const all = everyRecord(ranges);
          const range = rangeOfPage(ranges, offset, limit);
          const { newestDay, oldestDay, before, count } = range ?? { newestDay: -1, oldestDay: 0, before: 0, count: 0 };
          const ofDays = all.filter(({ day }) => oldestDay <= day && day <= newestDay);
          expect(ofDays.slice(before, before + count)).toEqual(all.slice(offset, offset + limit));
          expect(before).toBeLessThanOrEqual(ranges.length);
          expect(countRecords(ranges)).toBe(all.length);
        },
      ),
      { numRuns: tenthOfExamples(500) },
    );
  });

  it('a page spans the years in which no account has records', () => {
    const ranges = [
      { firstDay: 0, lastDay: 1 },
      { firstDay: 100_000_000, lastDay: 100_000_000 },
    ];
    expect(rangeOfPage(ranges, 0, 25)).toEqual({ newestDay: 100_000_000, oldestDay: 0, before: 0, count: 3 });
  });

  it('a page is found among more accounts than a function call may have arguments', () => {
    const ranges = Array.from({ length: 150_000 }, () => ({ firstDay: 3, lastDay: 4 }));
    expect(rangeOfPage(ranges, 0, 25)).toEqual({ newestDay: 4, oldestDay: 4, before: 0, count: 25 });
  });

  it('there is no page without accounts or past the last record', () => {
    expect(rangeOfPage([], 0, 25)).toBeNull();
    expect(rangeOfPage([{ firstDay: 3, lastDay: 4 }], 2, 25)).toBeNull();
  });
});
