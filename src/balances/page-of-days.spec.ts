import fc from 'fast-check';
import { countRecords, spansOfPage, type Span } from './page-of-days.js';

const ID_OF = (index: number) => `account-${String(index).padStart(3, '0')}`;

const anySpans = fc
  .array(fc.record({ firstDay: fc.integer({ min: 0, max: 60 }), days: fc.integer({ min: 1, max: 40 }) }), {
    maxLength: 8,
  })
  .map((drawn) =>
    drawn.map(({ firstDay, days }, index): Span => ({
      accountId: ID_OF(index),
      firstDay,
      lastDay: firstDay + days - 1,
    })),
  );

/** Every record, written out and sorted as the list promises. */
function everyRecord(spans: readonly Span[]) {
  const records = spans.flatMap(({ accountId, firstDay, lastDay }) =>
    Array.from({ length: lastDay - firstDay + 1 }, (_, index) => ({ accountId, day: firstDay + index })),
  );
  return records.sort((a, b) => b.day - a.day || (a.accountId < b.accountId ? -1 : 1));
}

describe('the spans of a page', () => {
  it('have the records that sorting all of them would give, on every page', () => {
    fc.assert(
      fc.property(
        anySpans,
        fc.integer({ min: 0, max: 350 }),
        fc.integer({ min: 1, max: 30 }),
        (spans, offset, limit) => {
          expect(everyRecord(spansOfPage(spans, offset, limit))).toEqual(
            everyRecord(spans).slice(offset, offset + limit),
          );
          expect(countRecords(spans)).toBe(everyRecord(spans).length);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('skip the years in which no account has records', () => {
    const spans = [
      { accountId: 'a', firstDay: 0, lastDay: 1 },
      { accountId: 'b', firstDay: 100_000_000, lastDay: 100_000_000 },
    ];
    expect(spansOfPage(spans, 0, 25)).toEqual([
      { accountId: 'a', firstDay: 0, lastDay: 1 },
      { accountId: 'b', firstDay: 100_000_000, lastDay: 100_000_000 },
    ]);
  });

  it('are none without accounts and past the end', () => {
    expect(spansOfPage([], 0, 25)).toEqual([]);
    expect(spansOfPage([{ accountId: 'a', firstDay: 3, lastDay: 4 }], 2, 25)).toEqual([]);
  });
});
