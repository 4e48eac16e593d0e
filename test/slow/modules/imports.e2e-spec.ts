import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { type Person, startTidemark, type Tidemark } from '../../../src/kit/testing.js';
import { addDays } from '../../../src/platform/time/calendar-date.js';

const PATH = '/api/v1/imports';
const ROWS = 100_000;
const FIRST = '1996-01-01';
const MIB = 1024 * 1024;

/** Ten transactions a day. */
function largeFile(): File {
  const lines = Array.from({ length: ROWS }, (_, row) => {
    const cents = ((row * 7_919) % 20_011) - 10_000;
    return `${addDays(FIRST, Math.floor(row / 10))},${(cents / 100).toFixed(2)},Shop ${row % 500}`;
  });
  return new File([['Date,Amount,Text', ...lines].join('\n')], 'large.csv');
}

describe('an import of 100,000 transactions', () => {
  let tidemark: Tidemark;
  let database: TestDatabase;
  let person: Person;

  beforeAll(async () => {
    database = await createTestDatabase();
    tidemark = await startTidemark([], { database: database.address });
    person = await tidemark.person();
  });
  afterAll(async () => {
    await tidemark.stop();
    await database.drop();
  });

  it('a file of 100,000 transactions is read in 10 s, imported and undone', async () => {
    const [accountId] = await tidemark.bank(person, [
      { balance: 500_00, transactions: [{ date: '2026-03-01', amount: -1 }] },
    ]);
    const times: Record<string, number> = {};
    const timed = async <T>(name: string, work: Promise<T>): Promise<T> => {
      const start = performance.now();
      const result = await work;
      times[name] = Math.round(performance.now() - start);
      return result;
    };
    const before = process.memoryUsage().rss;
    const { status, body } = await timed('read', person.upload(PATH, { account_id: accountId! }, largeFile()));
    expect([status, body.accounts[0].rows_added]).toEqual([201, ROWS]);
    const rss = process.memoryUsage().rss - before;
    const accepted = await timed('accept', person.post(`${PATH}/${body.id}/accept`));
    expect([accepted.status, accepted.body.accounts]).toMatchObject([200, [{ rows_added: ROWS }]]);
    expect((await timed('undo', person.delete(`${PATH}/${body.id}`))).status).toBe(204);
    expect((await person.get('/api/v1/transactions')).body.pagination.total_count).toBe(1);
    if (process.env['SHOW_TIMES']) process.stderr.write(`${JSON.stringify({ times, mib: Math.round(rss / MIB) })}\n`);
    expect(times.read).toBeLessThan(10_000);
  });
});
