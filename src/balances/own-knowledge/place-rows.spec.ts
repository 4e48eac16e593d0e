import fc from 'fast-check';
import { dayNumber } from '../../platform/time/calendar-date.js';
import { daysOfBank, type ListedRow, placeRows, type RowList } from './place-rows.js';

const day = (date: string) => dayNumber(`2026-${date}`);

/** Rows such as `03-02 -20.00 groceries`, whose ids are `list 1`, `list 2`, and so on. */
function list(name: string, text: string): RowList {
  const [head = '', ...lines] = text
    .trim()
    .split('\n')
    .map((line) => line.trim());
  const [first = '', last = ''] = head.split('..');
  return { rows: rows(name, lines), covered: [{ first: day(first), last: day(last) }] };
}

function rows(name: string, lines: readonly string[], since = 0): ListedRow[] {
  return lines.map((line, index) => {
    const [date = '', amount = '', ...words] = line.split(/\s+/);
    const amountMinor = Math.round(Number(amount) * 100);
    return { id: `${name} ${index + 1}`, day: day(date), amountMinor, text: words.join(' '), since };
  });
}

const NO_BANK: RowList = { rows: [], covered: [] };

function standings(lists: readonly RowList[], added: readonly ListedRow[] = []): Record<string, string> {
  const placed = [...placeRows(lists, added)];
  return Object.fromEntries(placed.map(([id, { standing, pairedWith }]) => [id, pairedWith ?? standing]));
}

describe('rows of several lists', () => {
  it('a row of a file on a day of the bank counts once where the bank has it, and not at all where it does not', () => {
    const bank = list('bank', '03-01..03-31\n03-10 -20.00 groceries\n03-16 -20.00 groceries');
    const file = list('file', '03-01..03-31\n03-11 -20.00 GROCERIES\n03-20 -7.00 lunch');
    expect(standings([bank, file])).toEqual({ 'file 1': 'bank 1', 'file 2': 'left_out' });
  });

  it('a bank that has told all that was asked for owns the days from its oldest transaction on', () => {
    const april = { from: null, until: '2026-04-01' };
    expect(daysOfBank([april], day('03-10'))).toEqual([{ first: day('03-10'), last: day('04-01') }]);
    expect(daysOfBank([april], null)).toEqual([]);
    expect(daysOfBank([{ ...april, from: '2026-03-01' }], day('03-10'))).toEqual([
      { first: day('03-01'), last: day('04-01') },
    ]);
  });

  it('alike rows of a day are counted, not merged', () => {
    const bank = list('bank', '03-01..03-31\n03-10 -3.50 coffee\n03-10 -3.50 coffee');
    const file = list('file', '02-01..03-10\n02-10 -3.50 coffee\n02-10 -3.50 coffee\n03-10 -3.50 coffee');
    expect(standings([bank, file])).toEqual({ 'file 1': 'counted', 'file 2': 'counted', 'file 3': 'bank 1' });
  });

  it('a weekly debit is not taken for that of the next week', () => {
    const bank = list('bank', '03-08..03-31\n03-11 -9.99 gym\n03-18 -9.99 gym\n03-25 -9.99 gym');
    const file = list('file', '03-01..03-26\n03-04 -9.99 gym\n03-11 -9.99 gym\n03-18 -9.99 gym\n03-25 -9.99 gym');
    expect(standings([bank, file])).toEqual({
      ...{ 'file 1': 'counted', 'file 2': 'bank 1', 'file 3': 'bank 2', 'file 4': 'bank 3' },
    });
  });

  it('a file with the days of purchases is paired with a list of postings by the shift that is usual between them', () => {
    const bank = list('bank', '03-01..03-31\n03-04 -1.00 a\n03-07 -2.00 b\n03-12 -5.00 tram\n03-14 -5.00 tram');
    const file = list('file', '03-01..03-31\n03-02 -1.00 a\n03-05 -2.00 b\n03-10 -5.00 tram\n03-12 -5.00 tram');
    expect(standings([bank, file])).toMatchObject({ 'file 3': 'bank 3', 'file 4': 'bank 4' });
  });

  it('the later of two files owns the days that both cover, and rows of the earlier one count outside of them', () => {
    const later = list('later', '03-10..03-31\n03-10 -1.00 a\n03-15 -2.00 b\n03-31 -3.00 c');
    const earlier = list('earlier', '03-01..03-20\n03-05 -9.00 z\n03-10 -1.00 a\n03-15 -2.50 b\n03-20 -4.00 d');
    expect(standings([NO_BANK, later, earlier])).toEqual({
      ...{ 'later 1': 'counted', 'later 2': 'counted', 'later 3': 'counted' },
      ...{ 'earlier 1': 'counted', 'earlier 2': 'later 1', 'earlier 3': 'left_out', 'earlier 4': 'left_out' },
    });
  });

  it('a day at the edge of two files has the rows of both, each once', () => {
    const later = list('later', '03-10..03-31\n03-10 -2.00 afternoon\n03-10 -1.00 morning');
    const earlier = list('earlier', '03-01..03-10\n03-10 -1.00 morning\n03-10 -3.00 night');
    expect(standings([NO_BANK, later, earlier])).toMatchObject({ 'earlier 1': 'later 2', 'earlier 2': 'counted' });
  });

  it('equal amounts on both sides of a seam without a common day are two transactions', () => {
    const bank = list('bank', '03-10..03-31\n03-10 -3.50 coffee');
    const file = list('file', '03-01..03-09\n03-09 -3.50 coffee');
    expect(standings([bank, file])).toEqual({ 'file 1': 'counted' });
  });

  it('a row that a person has added counts until a list brings it later, and stays beside an equal one from before', () => {
    const before = { ...list('bank', '03-01..03-31\n03-10 -20.00 groceries') };
    const added = rows('added', ['03-11 -20.00 groceries'], 5);
    expect(standings([before], added)).toEqual({ 'added 1': 'counted' });
    const after = { ...before, rows: [...before.rows, ...rows('late', ['03-12 -20.00 groceries'], 9)] };
    expect(standings([after], added)).toEqual({ 'added 1': 'late 1' });
  });

  it('parts of one list, in any order and as often as one likes, count together as that list does', () => {
    const anyRow = fc.record({
      at: fc.integer({ min: 0, max: 59 }),
      amountMinor: fc.constantFrom(-350, -999, -2000, 5000),
    });
    const anySpan = fc.tuple(fc.integer({ min: 0, max: 59 }), fc.integer({ min: 0, max: 59 }));
    fc.assert(
      fc.property(
        fc.array(anyRow, { maxLength: 120 }),
        fc.array(anySpan, { minLength: 1, maxLength: 6 }),
        (all, spans) => {
          const whole = all.map(({ at, amountMinor }, index) => ({ at, amountMinor, index }));
          const lists = spans.map((ends, place): RowList => {
            const [first, last] = [Math.min(...ends), Math.max(...ends)];
            const within = whole.filter(({ at }) => at >= first && at <= last);
            const rows = within.map(({ at, amountMinor, index }) => {
              return { id: `${place}/${index}`, day: at, amountMinor, text: String(index), since: place };
            });
            return { rows, covered: [{ first, last }] };
          });
          const placed = placeRows([NO_BANK, ...lists], []);
          const counted = lists.flatMap(({ rows }) => rows.filter(({ id }) => placed.get(id)!.standing === 'counted'));
          const isListed = (at: number) => spans.some((ends) => at >= Math.min(...ends) && at <= Math.max(...ends));
          const kinds = (rows: readonly { amountMinor: number }[], dayOf: (row: never) => number) =>
            rows.map((row) => `${dayOf(row as never)} ${row.amountMinor}`).sort();
          expect(kinds(counted, ({ day }: ListedRow) => day)).toEqual(
            kinds(
              whole.filter(({ at }) => isListed(at)),
              ({ at }: { at: number }) => at,
            ),
          );
        },
      ),
    );
  });
});
