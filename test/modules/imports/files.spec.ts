import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { fingerprint, readFile } from '../../../src/modules/imports/files/read-file.js';
import { type StatementFile, UnreadableFileError } from '../../../src/modules/imports/files/statement-file.js';
import { addDays, isCalendarDate } from '../../../src/platform/time/calendar-date.js';
import { asksOf, type FileCase, fileCases, found, READ_OPTIONS, sorted } from '../../support/file-cases.js';
import { TIER } from '../../support/tier.js';
import { camtText, csvText, ofxText, type WrittenStatement } from '../../support/write-statement-files.js';
import { zipOf } from '../../support/zip-of.js';

const CASES = fileCases();

describe('files of banks', () => {
  it.each(CASES.map((file) => [file.name, file.title, file] as const))('%s is read: %s', async (_, __, file) => {
    const { expect: wanted } = file;
    const read = await found(file, file.choices ?? {});
    const accounts = (list: FileCase['expect']['accounts']) =>
      list?.map((account) => ({ ...account, rows: sorted(account.rows), balances: sorted(account.balances) }));

    expect(accounts(read.accounts)).toEqual(accounts(wanted.accounts));
    expect(sorted(read.problems)).toEqual(sorted(wanted.problems.map(({ line }) => line)));
    expect(read.refused).toBe(wanted.refuse !== undefined);
    expect(read.asks).toEqual(file.choices ? [] : (wanted.ask ?? []));
  });

  it.each(CASES.filter(({ choices, expect: { ask } }) => choices && ask).map((file) => [file.name, file] as const))(
    '%s is asked about as long as nobody has chosen',
    async (_, { bytes, expect: { ask = [] } }) => {
      expect(asksOf(await readFile(bytes, READ_OPTIONS))).toEqual([...ask].sort());
    },
  );

  it.each([
    [
      'numbers with the year last',
      ['05/05/2026', '03/04/2026'],
      '"03/04/2026" is 3 April 2026 with the day first, or 4 March 2026 with the month first. Which is it?',
    ],
    [
      'a year of two digits',
      ['03/04/05', '04/03/05'],
      '"03/04/05" is 3 April 2005 with the day first, or 4 March 2005 with the month first, or 5 April 2003 with the year first. Which is it?',
    ],
    [
      'dates that contradict each other',
      ['13/05/2026', '05/14/2026'],
      'Are the dates of the file written with the day first or the month first?',
    ],
  ])('an open date is asked about with the days that one of the file may be: %s', async (_, dates, message) => {
    const rows = dates.map((date) => `${date},-1.00,A`);
    const csv = await readFile(Buffer.from(['Date,Amount,Text', ...rows].join('\n')), READ_OPTIONS);
    const qif = await readFile(
      Buffer.from(['!Type:Bank', ...dates.map((date) => `D${date}\nT-1.00\n^`)].join('\n')),
      READ_OPTIONS,
    );
    for (const { asks } of [csv, qif]) expect(asks).toEqual([{ choice: 'date_order', message }]);
  });

  it('files of a zip are read together, and what is no statement is left out', async () => {
    const head = 'Datum;Text;Betrag\n';
    const read = await readFile(
      zipOf({
        'b.csv': `${head}13.03.2026;Tee;-1,00\n`,
        'a.csv': `${head}14.02.2026;Brot;-2,00\n`,
        'readme.txt': 'Hello',
      }),
      READ_OPTIONS,
    );
    expect(read.accounts.map(({ rows }) => rows.map(({ description }) => description))).toEqual([['Brot', 'Tee']]);
    expect(read.problems).toEqual([]);
    expect(read.notes).toEqual([{ line: null, message: 'readme.txt was left out: it is not of the format csv.' }]);
  });

  it.each([
    ['a zip within a zip', zipOf({ 'a.zip': zipOf({ 'a.csv': 'Date,Amount' }) }), 'A zip within a zip is not read'],
    [
      'a zip of 201 files',
      zipOf(Object.fromEntries(Array.from({ length: 201 }, (_, n) => [`${n}`, 'a']))),
      'more than 200',
    ],
    ['a zip that unpacks to 500 times its size', zipOf({ 'a.csv': 'a'.repeat(1_000_000) }), 'unpacks to more'],
    ['a zip that is cut', zipOf({ 'a.csv': 'Date,Amount' }).subarray(0, 40), 'damaged zip or Excel file. Export it as'],
    ['a spreadsheet', zipOf({ '[Content_Types].xml': '<Types/>', 'xl/workbook.xml': '<a/>' }), 'Save it as CSV'],
    ['a PDF', '%PDF-1.7', 'Export the account as CSV'],
    ['a picture', '\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'no text file'],
    ['a file of more than 25 MiB', Buffer.alloc(25 * 1024 * 1024 + 1, 'a'), 'larger than 25 MiB'],
    ['a text that is no statement', 'Dear Sir or Madam,\n', 'not a file of a bank'],
  ])('%s is refused', async (_, content, message) => {
    await expect(readFile(Buffer.from(content), READ_OPTIONS)).rejects.toThrow(message);
  });

  it.each([
    ['later than its last row ends its day', '20261116', 'closing', []],
    ['of a day with rows is left out, and said to be', '20261120', 'interim', [expect.stringContaining('2026-11-20')]],
  ])('the balance of a download %s', async (_, posted, kind, notes) => {
    const read = await readFile(
      Buffer.from(
        '<OFX><SIGNONMSGSRSV1><SONRS><DTSERVER>20261120</SONRS></SIGNONMSGSRSV1><BANKMSGSRSV1><STMTTRNRS><STMTRS>' +
          '<CURDEF>EUR<BANKACCTFROM><ACCTID>1</BANKACCTFROM><BANKTRANLIST><DTSTART>20261101<DTEND>20261120' +
          `<STMTTRN><DTPOSTED>${posted}<TRNAMT>-1.00<FITID>1</STMTTRN></BANKTRANLIST>` +
          '<LEDGERBAL><BALAMT>50.00<DTASOF>20261120</LEDGERBAL></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>',
      ),
      READ_OPTIONS,
    );
    expect(read.accounts[0]!.balances).toMatchObject([{ day: '2026-11-20', kind, amountMinor: 50_00 }]);
    expect(read.notes!.map(({ message }) => message)).toEqual(notes);
  });

  it('choices are remembered for files with the same header line, encoding and separator', () => {
    const of = (text: string) => fingerprint(Buffer.from(text), READ_OPTIONS.today);
    const march = of('Datum;Text;Betrag\n02.03.2026;Käse;-1,00\n');
    expect(of('Konto: 1\n\nDatum;Text;Betrag\r\n13.04.2026;Äpfel;-2,00\r\n')).toBe(march);
    expect(of('Datum;Text;Betrag;Saldo\n13.04.2026;Äpfel;-2,00;1,00\n')).not.toBe(march);
    expect(of('Datum,Text,Betrag\n13.04.2026,Äpfel,-2.00\n')).not.toBe(march);
    const inLatin = Buffer.from('Datum;Text;Betrag\n02.03.2026;Käse;-1,00\n', 'latin1');
    expect(fingerprint(inLatin, READ_OPTIONS.today)).not.toBe(march);
    expect(of('02.03.2026;Käse;-1,00\n')).toBe(of('03.03.2026;Öl;-2,00\n'));
  });

  it.each(['oldest first', 'newest first', 'each day backwards'])(
    'the running balance of a real bank says the balance of each day, rows %s',
    async (order) => {
      const cents = (text = '') => text.replace(/(\d\d)$/, '.$1');
      const lines = gunzipSync(readFileSync('test/data/bank-1993-1994-sample.csv.gz')).toString().trim().split('\n');
      const ofBank = Map.groupBy(lines.slice(1), (line) => line.split(',')[0]!);
      for (const rows of ofBank.values()) {
        const cells = rows.map((row) => row.split(','));
        const days = [...Map.groupBy(cells, ([, day]) => day!).values()];
        const inOrder = order === 'each day backwards' ? days.flatMap((ofDay) => ofDay.toReversed()) : cells;
        const written = inOrder.map(([, day, amount, balance, kind]) =>
          [day, kind, cents(amount), cents(balance)].join(','),
        );
        if (order === 'newest first') written.reverse();
        const text = ['Date,Text,Amount,Balance', ...written].join('\n');
        const read = await readFile(Buffer.from(text), { ...READ_OPTIONS, currency: 'CZK' });
        const balances = read.accounts[0]!.balances.map(({ day, amountMinor }) => [day, amountMinor]);
        expect(balances).toEqual(days.map((ofDay) => [ofDay[0]![1], Number(ofDay.at(-1)![3])]));
      }
    },
  );

  const slowly = TIER === 'test' ? it.skip : it;

  // Measured: 2.6, 2.7, and 2.2 s with 60, 120, and 30 MiB. 100,000 rows of CAMT are larger than a file may be.
  slowly.each([
    ['CAMT', 80_000, camtText],
    ['CSV', 100_000, csvText],
    ['OFX', 100_000, ofxText],
  ])('a %s file of %i rows is read in 10 s and 300 MiB', async (_, count, write) => {
    const statement = statementOf(count);
    const bytes = Buffer.from(write(statement));
    const before = { time: process.cpuUsage(), rss: process.resourceUsage().maxRSS };
    const read = await readFile(bytes, READ_OPTIONS);
    const { user, system } = process.cpuUsage(before.time);
    expect(read.problems).toEqual([]);
    const facts = (rows: readonly { day: string; amountMinor: number; description: string }[]) =>
      rows.map(({ day, amountMinor, description }) => `${day} ${amountMinor} ${description}`).join('\n');
    expect(facts(read.accounts[0]!.rows) === facts(statement.rows)).toBe(true);
    expect(user + system).toBeLessThan(10_000_000);
    expect(process.resourceUsage().maxRSS - before.rss).toBeLessThan(300 * 1024);
  });

  it.each([
    ['mt940-envelope.sta', ['2026-03-01', null]],
    ['mt940-pages.sta', ['2026-03-01']],
    ['camt-02-plain.xml', ['2026-03-01']],
    ['camt-08-batch.xml', ['2026-03-04']],
    ['qif-opening-balance.qif', ['2026-02-27']],
  ])('the opening balance of %s holds on the day before the first row of its statement', async (name, days) => {
    const { bytes } = CASES.find((file) => file.name === name)!;
    const { accounts } = await readFile(bytes, READ_OPTIONS);
    const openings = accounts.flatMap(({ balances }) => balances.filter(({ kind }) => kind === 'opening'));
    expect(openings.map(({ endOf }) => endOf)).toEqual(days);
  });

  it('a file that is cut or changed anywhere gets an answer', async () => {
    const place = fc.double({ min: 0, max: 1, noNaN: true });
    const changes = fc.record({
      cut: fc.option(place),
      bytes: fc.array(fc.tuple(place, fc.nat(255)), { maxLength: 4 }),
    });
    const property = fc.asyncProperty(
      fc.constantFrom(...CASES),
      changes,
      async ({ bytes, choices = {} }, { cut, bytes: changed }) => {
        const mutated = Buffer.from(bytes.subarray(0, cut === null ? undefined : Math.floor(cut * bytes.length)));
        for (const [at, byte] of changed) if (mutated.length > 0) mutated[Math.floor(at * (mutated.length - 1))] = byte;
        const before = process.cpuUsage().user;
        const read = await readFile(mutated, { ...READ_OPTIONS, choices }).catch((error: unknown) => error);
        expect(process.cpuUsage().user - before).toBeLessThan(1_000_000);
        if (read instanceof UnreadableFileError) expect(read.message).toMatch(/^[A-Z"].*\.$/s);
        else expectSound(read as StatementFile);
      },
    );
    await fc.assert(property, { numRuns: TIER === 'test' ? 500 : 30_000 });
  });
});

/** Of twenty years, with texts and ids of a usual length. */
function statementOf(count: number): WrittenStatement {
  const first = '2006-01-01';
  const rows = Array.from({ length: count }, (_, place) => ({
    day: addDays(first, Math.floor((place * 7_300) / count)),
    amountMinor: (place % 7 === 0 ? 1 : -1) * (100 + ((place * 7_919) % 90_000)),
    description: `Card payment ${place} Bäckerei & Söhne, Hauptstraße ${place % 97}`,
    id: `2006${place}`,
  }));
  const closing = { day: addDays(first, 7_300), amountMinor: rows.reduce((sum, row) => sum + row.amountMinor, 0) };
  return { account: '123456', currency: 'EUR', rows, opening: { day: first, amountMinor: 0 }, closing };
}

function expectSound(read: StatementFile): void {
  if (!Array.isArray(read.accounts)) throw new Error(JSON.stringify(read));
  expect(read.problems.length).toBe(Math.min(100, read.problemCount));
  for (const { message } of read.problems) expect(message).toMatch(/\S/);
  for (const { rows, balances } of read.accounts) {
    for (const { day, amountMinor, line } of [...rows, ...balances]) {
      if (!isCalendarDate(day) || !Number.isSafeInteger(amountMinor) || line < 1)
        throw new Error(`${line}: ${day} ${amountMinor}`);
    }
  }
}
