import fc from 'fast-check';
import { readFile } from '../../../src/modules/imports/files/read-file.js';
import { type StatementFile, UnreadableFileError } from '../../../src/modules/imports/files/statement-file.js';
import { isCalendarDate } from '../../../src/platform/time/calendar-date.js';
import { asksOf, type FileCase, fileCases, found, READ_OPTIONS, sorted } from '../../support/file-cases.js';
import { TIER } from '../../support/tier.js';

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

function expectSound(read: StatementFile): void {
  if (!Array.isArray(read.accounts)) throw read;
  expect(read.problems.length).toBe(Math.min(100, read.problemCount));
  for (const { message } of read.problems) expect(message).toMatch(/\S/);
  for (const { rows, balances } of read.accounts) {
    for (const { day, amountMinor, line } of [...rows, ...balances]) {
      if (!isCalendarDate(day) || !Number.isSafeInteger(amountMinor) || line < 1)
        throw new Error(`${line}: ${day} ${amountMinor}`);
    }
  }
}
