import fc from 'fast-check';
import { afterThisTest } from './after-this-test.js';
import { createClient, startTestApp, type TestApp, type TestClient } from './app.js';
import { recountSpans } from '../src/balances/history/recount-spans.js';
import { noteChanges } from '../src/change-log/note-changes.js';
import { noteEverything } from './noted.js';
import { balance, createConnection, snapshotAccount, transaction, writeSnapshot } from './factories.js';

const FIRST_DAYS = ['2026-01-04', '2026-02-27', '2026-03-01', '2026-03-14'];
const DATES = ['2025-12-31', '2026-01-04', '2026-02-26', '2026-03-01', '2026-03-10', '2026-03-15', '2026-04-01'];

/** The answer of the whole filtered set in one plain query: what any page must be a part of. */
const PLAIN = `
  select id, count(*) over () as total from balances
  where user_id = ? and (?::uuid is null or account_id = ?) and (?::text is null or currency = ?)
    and (?::date is null or date >= ?) and (?::date is null or date <= ?)
  order by date desc, account_id`;

describe('pages of balances', () => {
  let tidemark: TestApp;
  let client: TestClient;
  const accounts: string[] = [];

  beforeEach(async () => {
    tidemark = await startTestApp({ RATE_LIMIT_PER_MINUTE: '0' });
    afterThisTest(tidemark.stop);
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
  const anyQuery = () =>
    fc.record({
      account_id: optional(...accounts, '00000000-0000-4000-8000-000000000000'),
      currency: optional('USD', 'EUR', 'CHF'),
      start_date: optional(...DATES),
      end_date: optional(...DATES),
      page: fc.integer({ min: 1, max: 9 }),
      per_page: fc.integer({ min: 1, max: 40 }),
    });

  async function comparesWithPlain(
    query: {
      [name in 'account_id' | 'currency' | 'start_date' | 'end_date']?: string | undefined;
    } & { page: number; per_page: number },
  ) {
    const { account_id, currency, start_date, end_date, page, per_page } = query;
    if (start_date && end_date && start_date > end_date) return;
    const filters = [account_id, currency, start_date, end_date].flatMap((value) => [value ?? null, value ?? null]);
    const plain: { id: string }[] = await tidemark
      .em()
      .getConnection()
      .execute(PLAIN, [client.userId, ...filters]);
    const text = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]));
    const { body } = await client.get(`/api/v1/balances?${text.join('&')}`);
    expect(body.balances.map(({ id }: { id: string }) => id)).toEqual(
      plain.slice((page - 1) * per_page, page * per_page).map(({ id }) => id),
    );
    expect(body.pagination.total_count).toBe(plain.length);
  }

  it('are what a plain query gives, whatever is asked for', async () => {
    await fc.assert(fc.asyncProperty(anyQuery(), comparesWithPlain), { numRuns: 150 });
  });

  it('are still right where a day was removed by hand', async () => {
    const remove = `delete from balances where account_id = ? and date = '2026-03-02'`;
    await tidemark.em().getConnection().execute(remove, [accounts[0]]);
    await noteEverything(tidemark, client.userId);
    await fc.assert(fc.asyncProperty(anyQuery(), comparesWithPlain), { numRuns: 60 });
  });

  it('follow the first and last day, and the currency, of each account', async () => {
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

  it('come from one moment while an account grows and shrinks', async () => {
    const shrink = `delete from balances where account_id = ? and date < '2026-02-01'`;
    const grow = `insert into balances (user_id, account_id, date, currency, flows_factor, has_cash, start_cash,
        start_non_cash, cash_inflows, cash_outflows, non_cash_inflows, non_cash_outflows, net_market_flows,
        cash_adjustments, non_cash_adjustments, end_cash, end_non_cash)
      select user_id, account_id, day::date, currency, flows_factor, has_cash, start_cash, 0, 0, 0, 0, 0, 0, 0, 0,
        start_cash, 0
      from balances, generate_series('2026-01-04'::date, '2026-01-31', '1 day') day
      where account_id = ? and date = '2026-02-01'`;
    let isWriting = true;
    const write = async () => {
      const id = accounts[0]!;
      const writeAndNote = (change: string) =>
        tidemark.em().transactional(async (em) => {
          await em.execute(change, [id]);
          await recountSpans(em, { userId: client.userId, id });
          noteChanges(client.userId, { kind: 'balances', accountId: id });
        });
      while (isWriting) for (const change of [shrink, grow]) await writeAndNote(change);
    };
    const writing = write();
    afterThisTest(() => {
      isWriting = false;
      return writing;
    });
    const totals = new Set<number>();
    for (let read = 0; read < 200 || totals.size < 2; read++) {
      const { body } = await client.get(`/api/v1/balances?per_page=100&account_id=${accounts[0]}`);
      totals.add(body.pagination.total_count);
      expect(body.balances).toHaveLength(body.pagination.total_count);
    }
    expect([...totals].sort()).toEqual([43, 71]);
  });
});
