import fc from 'fast-check';
import type { SnapshotTransaction } from '../../providers/bank-provider.js';
import { addDays, dateInTimeZone, dateOfUnixSeconds } from '../../platform/time/calendar-date.js';
import { readDays } from './read-days.js';

const LOS_ANGELES = { timeZone: 'America/Los_Angeles', today: '2026-11-28' };
const TOKYO = { timeZone: 'Asia/Tokyo', today: '2026-11-28' };

/** A row of this moment, written in Unix seconds. */
function at(text: string): SnapshotTransaction {
  const unixSeconds = Date.parse(text) / 1000;
  return row({
    date: dateOfUnixSeconds(unixSeconds),
    moment: { unixSeconds, isWhole: unixSeconds % 43_200 === 0 },
  });
}

function row(more: Partial<SnapshotTransaction>): SnapshotTransaction {
  return { ...({ externalId: 'T', amountMinor: -1, pending: false } as SnapshotTransaction), ...more };
}

function read(transactions: SnapshotTransaction[], kept: 'days' | 'instants' | null = null, reader = LOS_ANGELES) {
  const { snapshot, datesAs } = readDays({ transactions, balance: null } as never, kept, reader);
  return { rows: snapshot.transactions, days: snapshot.transactions.map(({ date }) => date), datesAs };
}

const evenings = (count: number) =>
  Array.from({ length: count }, (_, index) => at(`${addDays('2026-11-01', index)}T02:00:00Z`));
const midnights = (count: number) =>
  Array.from({ length: count }, (_, index) => at(`${addDays('2026-11-01', index)}T00:00:00Z`));

describe('readDays for the date of a transaction', () => {
  it('a transaction is dated by its local day in any timezone, and never after today', () => {
    const zones = fc.constantFrom(...Intl.supportedValuesOf('timeZone'));
    const seconds = fc.integer({ min: Date.UTC(1975) / 1000, max: Date.UTC(2100) / 1000 });
    const moments = fc.array(fc.record({ unixSeconds: seconds, isWhole: fc.boolean() }), { maxLength: 30 });
    const kept = fc.constantFrom('days', 'instants', null);
    fc.assert(
      fc.property(zones, seconds, moments, kept, (timeZone, now, moments, kept) => {
        const today = dateInTimeZone(new Date(now * 1000), timeZone);
        const rows = moments.map((moment) => row({ date: dateOfUnixSeconds(moment.unixSeconds), moment }));
        const { days, datesAs } = read(rows, kept, { timeZone, today });
        for (const [index, { date, moment }] of rows.entries()) {
          const local = dateInTimeZone(new Date(moment!.unixSeconds * 1000), timeZone);
          const day = moment!.isWhole && datesAs !== 'instants' ? date : local;
          expect(days[index]).toBe(day > today ? today : day);
        }
        if (kept === 'days' || moments.length < 20) expect(datesAs).toBe(kept);
        // The same answer decides nothing else the next time.
        expect(read(rows, datesAs, { timeZone, today }).datesAs).toBe(datesAs);
      }),
    );
  });

  it.each([
    ['in the evening in Los Angeles', '2026-11-21T01:30:00Z', LOS_ANGELES, '2026-11-20'],
    ['in the early morning in Tokyo', '2026-11-20T16:00:00Z', TOKYO, '2026-11-21'],
    ['at noon in UTC', '2026-11-20T12:00:00Z', TOKYO, '2026-11-20'],
    ['at midnight in UTC', '2026-11-20T00:00:00Z', LOS_ANGELES, '2026-11-20'],
    ['at midnight in UTC of a day that has not begun', '2026-11-29T00:00:00Z', LOS_ANGELES, '2026-11-28'],
  ])('a payment %s is dated to the day that its bank shows', (_, moment, reader, day) => {
    expect(read([at(moment)], null, reader).days).toEqual([day]);
  });

  it('a transaction dated in the future is dated today until its day begins', () => {
    const [future] = read([row({ date: '2026-11-30' })]).rows;
    expect(future).toMatchObject({ date: '2026-11-28', dateIsGuess: true });
    const { rows } = read([row({ date: '2026-11-30' })], null, { ...LOS_ANGELES, today: '2026-11-30' });
    expect(rows).toEqual([row({ date: '2026-11-30' })]);
  });

  it('a transaction has the other date under which another reading may have stored it', () => {
    expect(read([at('2026-11-21T01:30:00Z')]).rows[0]).toMatchObject({ otherDate: '2026-11-21' });
    expect(read(midnights(20), 'instants').rows[0]).toMatchObject({
      date: '2026-11-01',
      otherDate: '2026-10-31',
    });
  });
});

describe('readDays for how a feed writes days', () => {
  it.each([
    ['19 moments is undecided', evenings(19), null],
    ['20 moments is read as instants', evenings(20), 'instants'],
    ['20 moments, one of them at midnight, is read as instants', [...evenings(19), ...midnights(1)], 'instants'],
    ['20 moments, two of them at midnight, is read as days', [...evenings(18), ...midnights(2)], 'days'],
    ['30 dates without a time is undecided', Array.from({ length: 30 }, () => row({ date: '2026-11-20' })), null],
  ])('a feed with %s', (_, rows, datesAs) => {
    expect(read(rows).datesAs).toBe(datesAs);
  });

  it.each([
    ['days', evenings(30), 'days'],
    ['instants', [...evenings(11), ...midnights(9)], 'instants'],
    ['instants', [...evenings(9), ...midnights(11)], 'days'],
  ] as const)('a feed read as %s can only change to days', (kept, rows, datesAs) => {
    expect(read([...rows], kept).datesAs).toBe(datesAs);
  });

  it('a payment at midnight UTC is dated to the evening before in Los Angeles if the feed writes instants', () => {
    expect(read([...evenings(20), at('2026-11-21T00:00:00Z')]).days.at(-1)).toBe('2026-11-20');
  });
});
