import type { ListTransactionsQuery } from '../../src/balances/accounts/account-filter.query.js';
import { TransactionsRepository } from '../../src/balances/transactions/transactions.repository.js';
import { addDays } from '../../src/platform/time/calendar-date.js';
import { createClient, startTestApp, type TestAnswer, type TestApp, type TestClient } from '../support/app.js';
import { createConnection, snapshotAccount, transaction, writeSnapshot } from '../support/factories.js';

const PER_PAGE = 7;
const FIRST_DAY = '2026-01-01';
/** Several on each day, so that pages end in the middle of one. */
const ROWS_PER_DAY = 4;
const ROWS = 60;
/** Of one person, for the plans. */
const MANY_ROWS = 40_000;

interface Row {
  id: string;
  date: string;
  account: { id: string };
  currency: string;
}

describe('pages of GET /api/v1/transactions', () => {
  let tidemark: TestApp;
  let client: TestClient;
  let accounts: string[];

  beforeAll(async () => {
    tidemark = await startTestApp();
  });
  afterAll(() => tidemark.stop());
  beforeEach(async () => {
    client = await createClient(tidemark);
    const connection = await createConnection(tidemark, client.userId);
    accounts = [];
    for (const currency of ['USD', 'EUR', 'JPY']) {
      const transactions = Array.from({ length: ROWS / 3 }, (_, index) =>
        transaction(addDays(FIRST_DAY, Math.floor(index / ROWS_PER_DAY)), index + 1, { currency }),
      );
      const { accountId } = await writeSnapshot(tidemark, connection, snapshotAccount({ currency, transactions }));
      accounts.push(accountId);
    }
  });

  const ask = (query: Record<string, string | number>) =>
    client.get(`/api/v1/transactions?${new URLSearchParams(query as Record<string, string>).toString()}`);
  const rows = async (query: Record<string, string | number> = {}): Promise<Row[]> =>
    (await ask({ per_page: 100, ...query })).body.transactions;

  async function readByCursor(query: Record<string, string>, meanwhile = async () => {}) {
    const read: Row[] = [];
    for (let cursor: string | null = 'first'; cursor !== null;) {
      const { body }: TestAnswer = await ask({ per_page: PER_PAGE, ...query, cursor });
      expect(body.pagination).toMatchObject({ page: read.length / PER_PAGE + 1, per_page: PER_PAGE });
      read.push(...body.transactions);
      cursor = body.next_cursor;
      await meanwhile();
    }
    return read;
  }

  it('transactions of several accounts or currencies are one list', async () => {
    const [one, two] = accounts as [string, string];
    const found = await rows({ account_id: `${one.toUpperCase()},${two}` });
    expect([found.length, new Set(found.map(({ account }) => account.id))]).toEqual([40, new Set([one, two])]);
    expect(new Set((await rows({ currency: 'usd, JPY' })).map(({ currency }) => currency))).toEqual(
      new Set(['USD', 'JPY']),
    );
    const { body } = await client.get(`/api/v1/holdings?account_id=${one},${two}&currency=USD,EUR`);
    expect(body.pagination.total_count).toBe(0);
  });

  it('transactions sorted oldest first have the reverse order of the default', async () => {
    expect(await rows({ sort: 'date' })).toEqual((await rows()).reverse());
    expect((await ask({ sort: 'amount' })).body.message).toBe('sort must be one of: -date, date');
  });

  it.each(['-date', 'date'])('transactions read by cursor have the order of the list (%s)', async (sort) => {
    expect(await readByCursor({ sort })).toEqual(await rows({ sort }));
    const filter = { sort, currency: 'EUR', start_date: '2026-01-02' };
    expect(await readByCursor(filter)).toEqual(await rows(filter));
  });

  it.each(['-date', 'date'])('no transaction is lost or doubled by cursor while a sync writes (%s)', async (sort) => {
    const there = await rows({ sort });
    let written = 0;
    const read = await readByCursor({ sort }, async () => {
      // Before the first and after the last of them, and in between.
      await tidemark
        .em()
        .getConnection()
        .execute(
          `insert into transactions (user_id, account_id, external_id, date, pending, first_seen_at, amount_minor, currency, description)
         select ?, ?, 'new ' || n || ?, day::date, false, now(), 1, 'USD', 'NEW'
         from unnest(array['2025-12-01', '2026-01-03', '2026-03-01']) with ordinality as added(day, n)`,
          [client.userId, accounts[0], `/${written++}`],
        );
    });
    expect(new Set(read.map(({ id }) => id)).size).toBe(read.length);
    const ids = new Set(read.map(({ id }) => id));
    expect(there.filter(({ id }) => !ids.has(id))).toEqual([]);
  });

  it('a page of transactions by cursor costs the same at any depth of the list', async () => {
    await tidemark
      .em()
      .getConnection()
      .execute(
        `insert into transactions (user_id, account_id, external_id, date, pending, first_seen_at, amount_minor, currency, description)
       select ?, ?, 'deep ' || n, date '2000-01-01' + n / 10, false, now(), 1, 'USD', 'DEEP' from generate_series(1, ?) n`,
        [client.userId, accounts[0], MANY_ROWS],
      );
    await tidemark.em().execute('analyze transactions');
    for (const sort of ['-date', 'date'] as const) {
      for (const date of ['2009-06-01', '2006-06-01', '2003-06-01', '2000-06-01']) {
        expect(await rowsRead({ page: 1, per_page: 100, sort }, date)).toBeLessThan(150);
      }
    }
  });

  /** How many stored transactions PostgreSQL looks at for the page after a day. */
  const rowsRead = (query: ListTransactionsQuery, date: string): Promise<number> =>
    tidemark.em().transactional(async (em) => {
      const count = async () => {
        const [row] = await em.execute<{ read: number }[]>(
          `select (seq_tup_read + idx_tup_fetch)::integer as read from pg_stat_xact_user_tables
           where relname = 'transactions'`,
        );
        return row!.read;
      };
      const before = await count();
      const place = [date, accounts[0]!, accounts[0]!] as const;
      const { rows: page, hasMore } = await tidemark.app
        .get(TransactionsRepository)
        .readOn(client.userId, query, place, 0);
      expect([page.length, hasMore]).toEqual([100, true]);
      return (await count()) - before;
    });
});
