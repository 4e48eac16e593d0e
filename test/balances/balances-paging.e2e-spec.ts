import fc from 'fast-check';
import pg from 'pg';
import { addDays } from '../../src/platform/time/calendar-date.js';
import { afterThisTest } from '../support/after-this-test.js';
import { BalancesRepository } from '../../src/balances/record/balances.repository.js';
import { createClient, startTestApp, type TestAnswer, type TestApp, type TestClient } from '../support/app.js';
import { sessionWaitsForLock } from '../support/lock-wait.js';
import { noteEverything } from '../support/noted.js';
import { balance, createConnection, snapshotAccount, transaction, writeSnapshot } from '../support/factories.js';

const FIRST_DAYS = ['2026-01-04', '2026-02-27', '2026-03-01', '2026-03-14'];
const DATES = ['2025-12-31', '2026-01-04', '2026-02-26', '2026-03-01', '2026-03-10', '2026-03-15', '2026-04-01'];

/** The answer of the whole filtered set in one plain query: what any page must be a part of. */
const plain = (sort = '-date') => `
  select id from balances
  where user_id = ? and (?::text is null or account_id::text = any(string_to_array(?, ',')))
    and (?::text is null or currency = any(string_to_array(?, ',')))
    and (?::date is null or date >= ?) and (?::date is null or date <= ?)
  order by ${sort === 'date' ? 'date, account_id desc' : 'date desc, account_id'}`;

describe('pages of GET /api/v1/balances', () => {
  let tidemark: TestApp;
  let client: TestClient;
  const accounts: string[] = [];

  beforeAll(async () => {
    tidemark = await startTestApp({ RATE_LIMIT_PER_MINUTE: '0' });
  });
  afterAll(() => tidemark.stop());
  beforeEach(async () => {
    client = await createClient(tidemark);
    accounts.length = 0;
    const connection = await createConnection(tidemark, client.userId);
    for (const [index, date] of FIRST_DAYS.entries()) {
      const currency = index === 2 ? 'EUR' : 'USD';
      const snapshot = snapshotAccount({
        ...{ currency, balance: balance(10_000 * (index + 1)) },
        transactions: [transaction(date, 1_000, { currency })],
      });
      accounts.push((await writeSnapshot(tidemark, connection, snapshot)).accountId);
    }
  });

  const optional = <T>(...values: T[]) => fc.option(fc.constantFrom(...values), { nil: undefined });
  const some = (...values: string[]) =>
    fc.option(
      fc.subarray(values, { minLength: 1 }).map((chosen) => chosen.join(',')),
      { nil: undefined },
    );
  const anyQuery = () =>
    fc.record({
      account_id: some(...accounts, '00000000-0000-4000-8000-000000000000'),
      currency: some('USD', 'EUR', 'CHF'),
      start_date: optional(...DATES),
      end_date: optional(...DATES),
      sort: optional('date', '-date'),
      page: fc.integer({ min: 1, max: 9 }),
      per_page: fc.integer({ min: 1, max: 40 }),
    });

  type Query = {
    [name in 'account_id' | 'currency' | 'start_date' | 'end_date' | 'sort']?: string | undefined;
  } & { page: number; per_page: number };

  const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id);

  async function plainIds({ account_id, currency, start_date, end_date, sort }: Query): Promise<string[]> {
    const filters = [account_id, currency, start_date, end_date].flatMap((value) => [value ?? null, value ?? null]);
    const connection = tidemark.em().getConnection();
    return idsOf(await connection.execute<{ id: string }[]>(plain(sort), [client.userId, ...filters]));
  }

  const ask = async (query: object) => {
    const text = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]));
    return client.get(`/api/v1/balances?${text.join('&')}`);
  };

  async function comparesWithPlain(query: Query) {
    const { start_date, end_date, page, per_page } = query;
    if (start_date && end_date && start_date > end_date) return;
    const ids = await plainIds(query);
    const { body } = await ask(query);
    expect(Object.keys(body)).toEqual(['balances', 'pagination']);
    expect(idsOf(body.balances)).toEqual(ids.slice((page - 1) * per_page, page * per_page));
    expect(body.pagination.total_count).toBe(ids.length);
    await readsAllByCursor(query, ids);
  }

  /** From the page of the query on, at most three pages of it. */
  async function readsAllByCursor({ page, ...query }: Query, ids: string[]) {
    let cursor: string | null = 'first';
    for (let seen = 0; cursor !== null; seen += query.per_page) {
      const { body }: TestAnswer = await ask({ ...query, cursor });
      expect(idsOf(body.balances)).toEqual(ids.slice(seen, seen + query.per_page));
      const pages = { page: seen / query.per_page + 1, total_count: ids.length };
      expect(body.pagination).toMatchObject(pages);
      cursor = body.next_cursor;
      expect(cursor !== null).toBe(seen + query.per_page < ids.length);
      if (pages.page > page) return;
    }
  }

  it('pages of balances are what a plain query gives, whatever is asked for', async () => {
    await fc.assert(fc.asyncProperty(anyQuery(), comparesWithPlain));
  });

  it('pages of balances are right where a day was removed by hand', async () => {
    const remove = `delete from balances where account_id = ? and date = '2026-03-02'`;
    await tidemark.em().getConnection().execute(remove, [accounts[0]]);
    await noteEverything(tidemark, client.userId);
    await fc.assert(fc.asyncProperty(anyQuery(), comparesWithPlain));
  });

  it('pages of balances are read by cursor without a gap or a double while accounts grow at both ends', async () => {
    const connection = tidemark.em().getConnection();
    const copyDay = (accountId: string, from: string, to: string) =>
      connection.execute(
        `insert into balances (user_id, account_id, date, currency, flows_factor, has_cash, start_cash,
           start_non_cash, cash_inflows, cash_outflows, non_cash_inflows, non_cash_outflows, net_market_flows,
           cash_adjustments, non_cash_adjustments, end_cash, end_non_cash)
         select user_id, account_id, ?::date, currency, flows_factor, has_cash, start_cash, 0, 0, 0, 0, 0, 0, 0, 0,
           start_cash, 0
         from balances where account_id = ? and date = ?`,
        [to, accountId, from],
      );
    for (const sort of ['-date', 'date']) {
      const there = await plainIds({ sort, page: 1, per_page: 7 });
      const read: string[] = [];
      const totals = new Set<number>();
      let day = (await ask({ account_id: accounts[0], per_page: 1 })).body.balances[0].date as string;
      let firstDay = (await ask({ account_id: accounts[1], per_page: 1, sort: 'date' })).body.balances[0]
        .date as string;
      for (let cursor: string | null = 'first'; cursor !== null;) {
        const { body }: TestAnswer = await ask({ sort, per_page: 7, cursor });
        read.push(...idsOf(body.balances));
        totals.add(body.pagination.total_count);
        cursor = body.next_cursor;
        await copyDay(accounts[0]!, day, (day = addDays(day, 1)));
        await copyDay(accounts[1]!, firstDay, (firstDay = addDays(firstDay, -1)));
        await noteEverything(tidemark, client.userId);
      }
      expect(new Set(read).size).toBe(read.length);
      expect(there.filter((id) => !read.includes(id))).toEqual([]);
      expect([...totals]).toEqual([there.length]);
    }
  });

  it('pages of balances refuse a cursor of another list, and parameters that they do not have', async () => {
    const { body } = await ask({ cursor: 'first', per_page: 5, currency: 'USD' });
    const cursor = body.next_cursor as string;
    const token = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64url');
    const problem = 'cursor must be first or a next_cursor';
    const decoded = Buffer.from(cursor, 'base64url').toString();
    const list = JSON.parse(decoded)[1];
    const foreign = 'cursor belongs to another person, or to a list with other filters or in another order';
    for (const [query, message] of [
      [{ cursor: 'nonsense' }, problem],
      [{ cursor: 'x'.repeat(2_000) }, problem],
      [{ cursor: `${cursor}!`, currency: 'USD' }, problem],
      [{ cursor: Buffer.from(`${decoded} `).toString('base64url'), currency: 'USD' }, problem],
      [{ cursor: token(2, list, 5, 10, '2026-03-01'), currency: 'USD' }, problem],
      [{ cursor: token(2, list, -5, 10, '2026-03-01', accounts[0]), currency: 'USD' }, problem],
      [{ cursor: token(2, list, 5, 10, "2026-03-01'", accounts[0]), currency: 'USD' }, problem],
      [{ cursor: token(2, list, 5, 10, ['2026-03-01'], accounts[0]), currency: 'USD' }, problem],
      [{ cursor: token(1, list, 5, 10, '2026-03-01', accounts[0]), currency: 'USD' }, problem],
      [{ cursor, currency: 'EUR' }, foreign],
      [{ cursor, currency: 'USD', sort: 'date' }, foreign],
      [{ sort: 'amount' }, 'sort must be one of: -date, date'],
      [{ account_id: `${accounts[0]},` }, 'account_id must be a valid UUID'],
      [{ account_id: Array(51).fill(accounts[0]).join(',') }, 'account_id must not have more than 50 values'],
      [{ currency: 'USD,EURO' }, 'currency must be a currency code of three letters'],
    ] as const) {
      const answer = await ask(query);
      expect([query, answer.status, answer.body.message]).toEqual([query, 422, message]);
    }
    const stranger = await createClient(tidemark);
    const theirs = await stranger.get(`/api/v1/balances?currency=USD&cursor=${cursor}`);
    expect([theirs.status, theirs.body.message]).toEqual([422, foreign]);
    const csv = await client.get('/api/v1/balances?cursor=first', { Accept: 'text/csv' });
    expect([csv.status, csv.body.message]).toEqual([422, 'cursor is for application/json only']);
    expect((await ask({ cursor: token(2, list, 5, 10, '2026-03-01', accounts[0]), currency: 'usd' })).status).toBe(200);
  });

  it('pages of balances have links, by number and by cursor, and whole lists have the same order', async () => {
    const { headers, body } = await ask({ cursor: 'first', per_page: 5, sort: 'date' });
    const list = `<${tidemark.url}/api/v1/balances`;
    const next = `${list}?cursor=${body.next_cursor}&per_page=5&sort=date>; rel="next"`;
    expect(headers.get('link')).toBe(`${list}?cursor=first&per_page=5&sort=date>; rel="first", ${next}`);
    const { body: lines } = await client.get('/api/v1/balances?sort=date', { Accept: 'application/x-ndjson' });
    const all = String(lines)
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: string });
    expect(idsOf(all)).toEqual(await plainIds({ sort: 'date', page: 1, per_page: 1 }));
  });

  it('the total of balances follows the first and last day, and the currency, of each account', async () => {
    const total = async (query = '') => (await client.get(`/api/v1/balances${query}`)).body.pagination.total_count;
    const connection = tidemark.em().getConnection();
    const before = await total();
    await connection.execute(`delete from balances where account_id = ? and date < '2026-01-10'`, [accounts[0]]);
    await noteEverything(tidemark, client.userId);
    expect(await total()).toBe(before - 6);
    await connection.execute(`update balances set currency = 'CHF' where account_id = ?`, [accounts[3]]);
    await noteEverything(tidemark, client.userId);
    expect(await total('?currency=CHF')).toBe(await total(`?account_id=${accounts[3]}`));
    await connection.execute(`delete from accounts where id = ?`, [accounts[1]]);
    await noteEverything(tidemark, client.userId);
    expect(await total(`?account_id=${accounts[1]}`)).toBe(0);
  });

  it('a page of balances reads no account where no change was ever noted', async () => {
    const connection = tidemark.em().getConnection();
    await connection.execute('delete from user_revisions where user_id = ?', [client.userId]);
    const query = { page: 2, per_page: 10 };
    const ids = (await plainIds(query)).slice(10, 20);
    const listPage = () => tidemark.app.get(BalancesRepository).listPage(client.userId, query);
    await listPage();
    // The ranges have what is shown of them.
    await connection.execute('alter table accounts rename to hidden');
    afterThisTest(() => connection.execute('alter table hidden rename to accounts'));
    const { rows, revision } = await listPage();
    expect([revision, idsOf(rows)]).toEqual(['0', ids]);
  });

  it('a page of balances and its total are of one moment though an account shrinks meanwhile', async () => {
    const writer = new pg.Client(tidemark.database.url);
    await writer.connect();
    afterThisTest(() => writer.end());
    const total = async () => {
      const { body } = await client.get(`/api/v1/balances?per_page=100&account_id=${accounts[0]}`);
      expect(body.balances).toHaveLength(body.pagination.total_count);
      return body.pagination.total_count as number;
    };
    const before = await total();
    // What is in memory is not read again.
    await noteEverything(tidemark, client.userId);
    await writer.query('begin');
    await writer.query('lock table balances in access exclusive mode');
    const reading = total();
    await sessionWaitsForLock(tidemark);
    const key = [client.userId, accounts[0]];
    await writer.query(`delete from balances where user_id = $1 and account_id = $2 and date < '2026-02-01'`, key);
    await writer.query(
      `update balance_spans set first_date = '2026-02-01' where user_id = $1 and account_id = $2`,
      key,
    );
    await writer.query('update user_revisions set records_revision = records_revision + 1 where user_id = $1', [
      client.userId,
    ]);
    await writer.query('commit');
    expect([before, before - 28]).toContain(await reading);
  });
});
