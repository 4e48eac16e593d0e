import { EditAccountService } from '../../src/balances/edit-account/edit-account.service.js';
import type { SnapshotAccount } from '../../src/providers/bank-provider.js';
import { pruneChangeLog } from '../../src/database/change-log/prune-change-log.js';
import type { Connection } from '../../src/sync/connections/connection.entity.js';
import { createClient, startTestApp, type TestApp, type TestClient } from '../support/app.js';
import { Visitor } from '../../src/kit/visitor.js';
import { balance, createConnection, snapshotAccount, transaction, writeSnapshot } from '../support/factories.js';

const NDJSON = { Accept: 'application/x-ndjson' };

interface Record {
  id: string;
  date: string;
  balance_cents: number;
}

describe('revisions of balances and ?as_of=', () => {
  let tidemark: TestApp;
  let client: TestClient;
  let connection: Connection;
  let account: SnapshotAccount;

  beforeAll(async () => {
    tidemark = await startTestApp({ SIGN_UP: 'open' });
  });
  afterAll(() => tidemark.stop());
  beforeEach(async () => {
    tidemark.clock.set('2026-03-15T12:00:00Z');
    client = await createClient(tidemark);
    connection = await createConnection(tidemark, client.userId);
    const rows = ['2026-03-01', '2026-03-05', '2026-03-10'].map((date) => transaction(date, -500));
    account = snapshotAccount({ balance: balance(10_000), transactions: rows });
    await writeSnapshot(tidemark, connection, account);
  });

  const list = async (query = ''): Promise<Record[]> => {
    const { body } = await client.get(`/api/v1/balances?per_page=100${query}`);
    expect(body.pagination.total_count).toBe(body.balances.length);
    return body.balances;
  };
  const revisions = async ({ id }: Record) => (await client.get(`/api/v1/balances/${id}/revisions`)).body.revisions;
  /** Of the database's clock, which dates revisions. */
  const now = async () => {
    const [row]: { now: string }[] = await tidemark.em().execute('select clock_timestamp()::text as now');
    return row!.now.replace(' ', 'T').replace(/\+00$/, 'Z');
  };
  const sync = (more: Partial<SnapshotAccount>, hour = 13) => {
    tidemark.clock.set(`2026-03-15T${hour}:00:00Z`);
    account = { ...account, ...more };
    return writeSnapshot(tidemark, connection, account);
  };

  it('a balance record without changes has no revisions, and an unknown or foreign record is 404', async () => {
    const [newest] = await list();
    expect(await revisions(newest!)).toEqual([]);
    const stranger = await createClient(tidemark);
    expect((await stranger.get(`/api/v1/balances/${newest!.id}/revisions`)).status).toBe(404);
    expect((await client.get('/api/v1/balances/nonsense/revisions')).status).toBe(404);
  });

  it('revisions exist for exactly the days that a late transaction changes, with the reason', async () => {
    const before = await list();
    const seen = await now();
    await sync({ transactions: [...account.transactions, transaction('2026-03-07', -300)], balance: balance(9_700) });
    const after = await list();
    const changed = new Set(
      after.filter((record, i) => JSON.stringify(record) !== JSON.stringify(before[i])).map(({ date }) => date),
    );
    expect([...changed].sort()[0]).toBe('2026-03-07');
    for (const [i, record] of after.entries()) {
      const found = await revisions(record);
      expect([record.date, found.length]).toEqual([record.date, changed.has(record.date) ? 1 : 0]);
      if (found.length === 0) continue;
      expect(found[0]).toMatchObject({ balance: before[i], reasons: ['late_transaction', 'new_reading'] });
      expect(found[0].from < found[0].until).toBe(true);
    }
    expect(await list(`&as_of=${seen}`)).toEqual(before);
    expect(await list(`&as_of=${await now()}`)).toEqual(after);
  });

  it('revisions of a balance differ to the microsecond', async () => {
    const before = await list();
    await sync({ transactions: [...account.transactions, transaction('2026-03-07', -300)], balance: balance(9_700) });
    const em = tidemark.em();
    const person = [client.userId];
    await em.execute(`update revisions set committed_at = committed_at - interval '1 hour' where user_id = ?`, person);
    const [row]: { second: string }[] = await em.execute(
      `update revisions set committed_at = date_trunc('second', committed_at) + interval '1.50025 s'
       where user_id = ? and batch_id is not null and revision = (select max(revision) from revisions where user_id = ?)
       returning to_char(committed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS') as second`,
      [client.userId, client.userId],
    );
    expect(await list(`&as_of=${row!.second}.500249Z`)).toEqual(before);
    const after = await list();
    expect(await list(`&as_of=${row!.second}.500250Z`)).toEqual(after);
    const changed = after.find(({ date }) => date === '2026-03-07');
    const [{ until }] = await revisions(changed!);
    expect(until).toBe(`${row!.second}.501Z`);
    expect(await list(`&as_of=${until}`)).toEqual(after);
  });

  it('revisions of balances stay when the change log is pruned', async () => {
    const [before, seen] = [await list(), await now()];
    await sync({ transactions: [...account.transactions, transaction('2026-03-07', -300)], balance: balance(9_700) });
    expect(await pruneChangeLog(tidemark.em(), client.userId, new Date('9999-01-01'))).toBeGreaterThan(0);
    expect(await list(`&as_of=${seen}`)).toEqual(before);
  });

  it.each(['0000-01-01T00:00:00Z', '0001-01-01T00:00:00%2B01:00', '9999-12-31T23:59:59-05:00'])(
    'balances as of %s are refused',
    async (moment) => {
      expect((await client.get(`/api/v1/balances?as_of=${moment}`)).status).toBe(422);
    },
  );

  it('all revisions of a day are listed in order, also when the day was missing for a while', async () => {
    const seen: [string, Record[]][] = [[await now(), await list()]];
    const remember = async () => seen.push([await now(), await list()]);
    await sync({ transactions: account.transactions.slice(1), balance: balance(10_000) });
    await remember();
    await sync({ transactions: [...account.transactions, transaction('2026-02-20', -100)] }, 14);
    await remember();
    const [id] = (await client.get('/api/v1/accounts')).body.accounts.map((one: Record) => one.id);
    await tidemark.app.get(EditAccountService).edit({ ...client, timeZone: 'UTC' }, id, { accountType: 'credit_card' });
    await remember();
    tidemark.clock.set('2026-03-17T12:00:00Z');
    await writeSnapshot(tidemark, connection, account);
    await remember();
    for (const [moment, records] of seen) {
      // What is shown of the account is what it is now.
      const said = records.map((record) => ({ ...record, account: seen.at(-1)![1][0]!['account' as keyof Record] }));
      expect(await list(`&as_of=${moment}`)).toEqual(said);
    }
    const found = await revisions(seen.at(-1)![1].find(({ date }) => date === '2026-03-10')!);
    expect(found.map(({ reasons }: { reasons: string[] }) => reasons)).toContainEqual(['corrected_type']);
    for (let i = 1; i < found.length; i++) expect(found[i].until <= found[i - 1].from).toBe(true);
  });

  it('the reason of a revision names no other account type if a request repeats the type and changes the closing day', async () => {
    const [id] = (await client.get('/api/v1/accounts')).body.accounts.map((one: Record) => one.id);
    const edit: EditAccountService['edit'] = (...edited) => tidemark.app.get(EditAccountService).edit(...edited);
    await edit({ ...client, timeZone: 'UTC' }, id, { accountType: 'depository', closedOn: '2026-03-14' });
    await edit({ ...client, timeZone: 'UTC' }, id, { closedOn: null });
    const [newest] = await list();
    const found: { reasons: string[] }[] = await revisions(newest!);
    expect([newest!.date, found.map(({ reasons }) => reasons)]).toEqual(['2026-03-15', [['recalculated']]]);
  });

  it('the page of an account shows when, why and from what value a balance changed', async () => {
    const person = new Visitor(tidemark.url);
    await person.signUp('restated@example.com');
    const [user]: { id: string }[] = await tidemark
      .em()
      .execute(`select id from users where email = 'restated@example.com'`);
    connection = await createConnection(tidemark, user!.id);
    account = { ...account, externalId: 'of a visitor' };
    const { accountId } = await sync({}, 12);
    const day = async () =>
      (await person.get(`/accounts/${accountId}/day?day=2026-03-08`)).html.replace(/<[^>]+>/g, '');
    expect(await day()).not.toContain('Restated');
    await sync({ transactions: [...account.transactions, transaction('2026-03-12', -300)], balance: balance(9_700) });
    expect(await day()).not.toContain('Restated');
    await sync(
      { transactions: [...account.transactions, transaction('2026-03-07', -300)], balance: balance(9_400) },
      14,
    );
    expect(await day()).toMatch(
      /Restated on \d+ \w+ 20\d\d: \$105\.00 became \$102\.00, because a transaction arrived late, and the bank reported/,
    );
  });

  it('the storage of revisions grows with the changes, not with the length of the history', async () => {
    const stored = async () => {
      const [row]: { bytes: number; days: number }[] = await tidemark.em().execute(
        `select sum(pg_column_size(v))::integer as bytes, sum(cardinality(dates))::integer as days
         from balance_versions v where user_id = ?`,
        [client.userId],
      );
      return row!;
    };
    const years = [transaction('2021-04-10', -500), ...account.transactions];
    const before = await stored();
    const { accountId } = await sync({ externalId: 'five years', transactions: years, balance: balance(10_000) });
    const first = await stored();
    expect(first.bytes - before.bytes).toBeLessThan(1_000);
    const known = account;
    await sync({ transactions: [...known.transactions, transaction('2026-03-07', -300)], balance: balance(9_700) }, 14);
    const late = await stored();
    expect(late.days - first.days).toBe(9);
    expect(late.bytes - first.bytes).toBeLessThan(3_000);
    const type = { accountType: 'credit_card' as const };
    await tidemark.app.get(EditAccountService).edit({ ...client, timeZone: 'UTC' }, accountId, type);
    const all = await stored();
    expect(all.days - late.days).toBeGreaterThan(1_700);
    expect((all.bytes - late.bytes) / (all.days - late.days)).toBeLessThan(100);
    if (process.env['SHOW_SIZES']) process.stderr.write(`${JSON.stringify({ before, first, late, all })}\n`);
  });

  it('the list of balances as of a time has the pages and filters of the current list', async () => {
    const before = await list();
    const seen = await now();
    await sync({ transactions: [...account.transactions, transaction('2026-03-07', -300)], balance: balance(9_700) });
    const page = async (query: string) => (await client.get(`/api/v1/balances?as_of=${seen}&${query}`)).body;
    const second = await page('per_page=4&page=2');
    expect(second.balances).toEqual(before.slice(4, 8));
    expect(second.pagination).toEqual({
      page: 2,
      per_page: 4,
      total_count: before.length,
      total_pages: Math.ceil(before.length / 4),
    });
    const days = await page('start_date=2026-03-06&end_date=2026-03-08&currency=usd');
    expect(days.balances).toEqual(before.filter(({ date }) => date >= '2026-03-06' && date <= '2026-03-08'));
    expect((await page('currency=EUR')).balances).toEqual([]);
    expect((await page('account_id=00000000-0000-4000-8000-000000000000')).pagination.total_count).toBe(0);
  });

  it.each([
    ['2999-01-01T00:00:00Z', 'as_of must not be in the future'],
    ['2026-03-15', 'as_of must be a time like 2026-03-02T06:17:04Z'],
    ['2026-02-31T25:00:00Z', 'as_of must be a time like 2026-03-02T06:17:04Z'],
    ['2026-02-29T00:00:00Z', 'as_of must be a time like 2026-03-02T06:17:04Z'],
  ])('the list of balances as of %s is refused with 422', async (moment, message) => {
    expect((await client.get(`/api/v1/balances?as_of=${moment}`)).body).toMatchObject({
      error: 'validation_failed',
      message,
    });
  });

  it('balances as of a time can filter several accounts and currencies, be sorted, and be CSV or NDJSON', async () => {
    const [dollars, euros, yen] = ['USD', 'EUR', 'JPY'].map((currency) =>
      snapshotAccount({
        currency,
        balance: balance(10_000),
        transactions: [transaction('2026-03-01', -100, { currency })],
      }),
    );
    const write = (one: SnapshotAccount) => writeSnapshot(tidemark, connection, one);
    const ids = [(await write(dollars!)).accountId, (await write(euros!)).accountId, (await write(yen!)).accountId];
    const filter = `account_id=${ids.join()}&currency=usd,EUR&sort=date&start_date=2026-03-02`;
    const before = await list(`&${filter}`);
    const everything = await list();
    const seen = await now();
    tidemark.clock.set('2026-03-15T13:00:00Z');
    for (const one of [dollars!, euros!]) {
      const late = transaction('2026-03-04', -700, { currency: one.transactions[0]!.currency });
      await write({ ...one, transactions: [...one.transactions, late], balance: balance(9_300) });
    }
    await write({ ...account, externalId: 'came later' });

    const query = `as_of=${seen}&${filter}`;
    const days = [...new Set(before.map(({ date }) => date))];
    expect([days.length, days, before.length]).toEqual([14, days.toSorted(), 28]);
    expect(await list(`&${query}`)).toEqual(before);
    expect(await list(`&${filter}`)).not.toEqual(before);
    const page = (await client.get(`/api/v1/balances?per_page=3&page=2&${query}`)).body;
    expect([page.balances, page.pagination.total_count]).toEqual([before.slice(3, 6), 28]);

    const ndjson = async (rest: string) => {
      const { status, body } = await client.get(`/api/v1/balances?per_page=1&${rest}`, NDJSON);
      return [
        status,
        ...String(body)
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line) as unknown),
      ];
    };
    expect(await ndjson(query)).toEqual([200, ...before]);
    expect(await ndjson(`as_of=${seen}`)).toEqual([200, ...everything]);
    const csv = await client.get(`/api/v1/balances?${query}`, { Accept: 'text/csv' });
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
    const [head, ...lines] = String(csv.body).trimEnd().split('\r\n');
    expect(head).toMatch(/^id,date,/);
    expect(lines.map((line) => line.split(',').slice(0, 2))).toEqual(before.map(({ id, date }) => [id, date]));
  });

  it('a history is rewritten at most ten times in ten minutes, and edits that change no balance still work', async () => {
    const [{ account }] = (await client.get('/api/v1/balances')).body.balances;
    const edit = (changes: object) => client.patch(`/api/v1/accounts/${account.id}`, changes);
    const types = ['loan', 'depository'];
    for (let i = 0; i < 5; i++)
      for (const account_type of types) expect((await edit({ account_type })).status).toBe(200);
    const refused = await edit({ account_type: 'loan' });
    expect([refused.status, refused.body.error]).toEqual([429, 'rate_limit_exceeded']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(600);
    expect((await edit({ closed_on: '2026-03-05' })).status).toBe(429);
    expect((await edit({ name: 'Mine', account_type: 'depository', closed_on: null })).status).toBe(200);
    const tenMinutesAgo = new Date(Date.now() - 600_000);
    await tidemark
      .em()
      .execute('update revisions set committed_at = ? where user_id = ?', [tenMinutesAgo, client.userId]);
    expect((await edit({ account_type: 'loan' })).status).toBe(200);
  });
});
