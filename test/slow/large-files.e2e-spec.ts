import { readFile } from '../../src/modules/imports/files/read-file.js';
import { addDays } from '../../src/platform/time/calendar-date.js';
import { READ_OPTIONS } from '../support/file-cases.js';
import { camtText, csvText, ofxText, type WrittenStatement } from '../support/write-statement-files.js';

const SECONDS = 10;

/** Of twenty years, with texts and ids of a usual length. */
function statementOf(count: number): WrittenStatement {
  const first = '2006-01-01';
  const rows = Array.from({ length: count }, (_, place) => ({
    day: addDays(first, Math.floor((place * 7_300) / count)),
    amountMinor: (place % 7 === 0 ? 1 : -1) * (100 + ((place * 7_919) % 90_000)),
    description: `Card payment ${place} Bäckerei & Söhne, Hauptstraße ${place % 97}`,
    id: `2006${place}`,
  }));
  const sum = rows.reduce((total, { amountMinor }) => total + amountMinor, 0);
  const closing = { day: addDays(first, 7_300), amountMinor: sum };
  return { account: '123456', currency: 'EUR', rows, opening: { day: first, amountMinor: 0 }, closing };
}

describe('large files', () => {
  // 100,000 rows of CAMT are larger than a file may be.
  it.each([
    ['CAMT', 80_000, camtText],
    ['CSV', 100_000, csvText],
    ['OFX', 100_000, ofxText],
  ])('reads a %s file of %i rows in seconds, and never has it in memory as a tree', async (_, count, write) => {
    const statement = statementOf(count);
    const bytes = Buffer.from(write(statement));
    const peak = process.resourceUsage().maxRSS;
    const before = process.cpuUsage();
    const read = await readFile(bytes, READ_OPTIONS);
    const { user, system } = process.cpuUsage(before);
    const used = (process.resourceUsage().maxRSS - peak) / 1024;

    expect(read.problems).toEqual([]);
    expect(read.accounts.map(({ rows }) => rows.length)).toEqual([count]);
    expect((user + system) / 1e6).toBeLessThan(SECONDS);
    expect(used).toBeLessThan(300);
  });
});
