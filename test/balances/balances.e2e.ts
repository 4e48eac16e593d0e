import { createClient, send, startTestApp, type TestApp, type TestClient } from '../support/app.js';
import { balance, createConnection, snapshotAccount, transaction, writeSnapshot } from '../support/factories.js';

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

describe('GET /api/v1/balances', () => {
  let tidemark: TestApp;
  let client: TestClient;
  let checking: string;
  let yen: string;

  beforeAll(async () => {
    tidemark = await startTestApp();
    client = await createClient(tidemark);
    const connection = await createConnection(tidemark, client.userId);
    const dollars = snapshotAccount({
      balance: balance(123_456),
      transactions: [
        transaction('2026-03-01', 100_000),
        transaction('2026-03-10', -1_234),
        transaction('2026-03-15', -500),
      ],
    });
    checking = (await writeSnapshot(tidemark, connection, dollars)).accountId;
    const japanese = snapshotAccount({
      name: 'Yen Savings',
      currency: 'JPY',
      balance: balance(1_001),
      transactions: [transaction('2026-03-12', 1_000, { currency: 'JPY' })],
    });
    yen = (await writeSnapshot(tidemark, connection, japanese)).accountId;
  });
  afterAll(() => tidemark.stop());

  const list = async (query = '') => (await client.get(`/api/v1/balances${query}`)).body;
  const refused = async (query: string) => {
    const { status, body } = await client.get(`/api/v1/balances${query}`);
    expect([status, body.error]).toEqual([422, 'validation_failed']);
    expect(body.message).toBe(body.errors[0]);
    return body.errors as string[];
  };

  it('the list has one balance record per account and day, newest first, with every documented field', async () => {
    const { balances, pagination } = await list(`?account_id=${checking}&per_page=100`);
    expect(pagination).toEqual({ page: 1, per_page: 100, total_count: 15, total_pages: 1 });
    expect(balances.map((row: { date: string }) => row.date)).toEqual(
      Array.from({ length: 15 }, (_, i) => `2026-03-${String(15 - i).padStart(2, '0')}`),
    );
    expect(balances[0]).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      date: '2026-03-15',
      currency: 'USD',
      flows_factor: 1,
      balance: '$1,234.56',
      balance_cents: 123_456,
      cash_balance: '$1,234.56',
      cash_balance_cents: 123_456,
      start_cash_balance: '$1,239.56',
      start_cash_balance_cents: 123_956,
      start_non_cash_balance: '$0.00',
      start_non_cash_balance_cents: 0,
      start_balance: '$1,239.56',
      start_balance_cents: 123_956,
      cash_inflows: '$0.00',
      cash_inflows_cents: 0,
      cash_outflows: '$5.00',
      cash_outflows_cents: 500,
      non_cash_inflows: '$0.00',
      non_cash_inflows_cents: 0,
      non_cash_outflows: '$0.00',
      non_cash_outflows_cents: 0,
      net_market_flows: '$0.00',
      net_market_flows_cents: 0,
      cash_adjustments: '$0.00',
      cash_adjustments_cents: 0,
      non_cash_adjustments: '$0.00',
      non_cash_adjustments_cents: 0,
      end_cash_balance: '$1,234.56',
      end_cash_balance_cents: 123_456,
      end_non_cash_balance: '$0.00',
      end_non_cash_balance_cents: 0,
      end_balance: '$1,234.56',
      end_balance_cents: 123_456,
      account: { id: checking, name: 'Checking', account_type: 'depository' },
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updated_at: expect.stringMatching(/Z$/),
    });
  });

  it('pages of balances have no overlap and no gap on days that several accounts share', async () => {
    const all = await list('?per_page=100');
    const pages = await Promise.all([1, 2, 3, 4, 5].map((page) => list(`?per_page=4&page=${page}`)));
    expect(pages.flatMap(({ balances }) => balances)).toEqual(all.balances);
    expect(pages[0].pagination).toEqual({ page: 1, per_page: 4, total_count: 19, total_pages: 5 });
  });

  it('yen balances have no decimals', async () => {
    const { balances } = await list(`?account_id=${yen}&per_page=1`);
    expect(balances[0]).toMatchObject({ currency: 'JPY', balance: '¥1,001', balance_cents: 1_001 });
  });

  it('balances are filtered by account and currency in either case and by inclusive dates', async () => {
    expect((await list(`?account_id=${checking.toUpperCase()}`)).pagination.total_count).toBe(15);
    expect((await list('?currency=jpy')).pagination.total_count).toBe(4);
    expect((await list('?currency=EUR')).pagination.total_count).toBe(0);
    const days = await list(`?account_id=${checking}&start_date=2026-03-10&end_date=2026-03-11`);
    expect(days.balances.map((row: { date: string }) => row.date)).toEqual(['2026-03-11', '2026-03-10']);
  });

  it('the page of balances is empty for an unknown account, for another user and after the last page', async () => {
    const empty = { balances: [], pagination: { page: 1, per_page: 25, total_count: 0, total_pages: 0 } };
    expect(await list(`?account_id=${UNKNOWN_ID}`)).toEqual(empty);
    const stranger = await createClient(tidemark);
    expect((await stranger.get(`/api/v1/balances?account_id=${checking}`)).body).toEqual(empty);
    const past = await list('?page=99');
    expect(past).toEqual({ balances: [], pagination: { page: 99, per_page: 25, total_count: 19, total_pages: 1 } });
  });

  it.each([
    ['per_page=500', 1, 100],
    ['per_page=0', 1, 25],
    ['per_page=-3', 1, 25],
    ['per_page=many', 1, 25],
    ['page=0', 1, 25],
    ['page=-1', 1, 25],
    ['page=two', 1, 25],
    ['page=99999999999999999999', Number.MAX_SAFE_INTEGER, 25],
    [`page=${'9'.repeat(400)}`, Number.MAX_SAFE_INTEGER, 25],
    ['per_page=99999999999999999999', 1, 100],
    ['page=&per_page=&currency=&account_id=&start_date=', 1, 25],
    ['unknown=1', 1, 25],
  ])('the page and per_page of ?%s are clamped to the valid range', async (query, page, perPage) => {
    expect((await list(`?${query}`)).pagination).toMatchObject({ page, per_page: perPage });
  });

  it.each([
    ['account_id=nonsense', 'account_id must be a valid UUID'],
    ['start_date=2026-02-30', 'start_date must be a date (YYYY-MM-DD)'],
    ['start_date=2026-3-1', 'start_date must be a date (YYYY-MM-DD)'],
    ['start_date=%202026-01-01', 'start_date must be a date (YYYY-MM-DD)'],
    ['start_date=2026-01-01+', 'start_date must be a date (YYYY-MM-DD)'],
    ['account_id=%20ad0b4d52-3b5f-4a3c-8f52-0d3a6f9f1c11', 'account_id must be a valid UUID'],
    ['end_date=yesterday', 'end_date must be a date (YYYY-MM-DD)'],
    ['currency=EURO', 'currency must be a currency code of three letters'],
    ['start_date=2026-03-02&end_date=2026-03-01', 'start_date must not be after end_date'],
    ['page[]=1', 'page must be given once, as plain text'],
    ['currency=USD&currency=EUR', 'currency must be given once, as plain text'],
    ['account_id[$ne]=1', 'account_id must be given once, as plain text'],
  ])('the list of balances refuses ?%s', async (query, problem) => {
    expect(await refused(`?${query}`)).toEqual([problem]);
  });

  it('an invalid query of balances gets all validation issues, also those of text that cannot be stored', async () => {
    expect(await refused('?start_date=2026-13-01&currency=%00&account_id=x')).toEqual([
      'currency must not contain U+0000 or half of a surrogate pair',
      'account_id must be a valid UUID',
      'currency must be a currency code of three letters',
      'start_date must be a date (YYYY-MM-DD)',
    ]);
  });

  it('unknown query parameters of balances are ignored and named in a Warning header', async () => {
    const answer = await client.get('/api/v1/balances?startdate=2026-03-01&%22%0d%0a[]=1&per_page=1');
    expect(answer.status).toBe(200);
    expect(answer.body.pagination).toMatchObject({ per_page: 1, total_count: 19 });
    expect(answer.headers.get('warning')).toBe('299 - "Unknown query parameters are ignored: startdate, %22%0D%0A"');
    const headers = { 'If-None-Match': answer.headers.get('etag')! };
    const again = await client.get('/api/v1/balances?startdate=2026-03-01&%22%0d%0a[]=1&per_page=1', headers);
    expect([again.status, again.headers.has('warning')]).toEqual([304, true]);
    const bad = await client.get('/api/v1/balances?startdate=2026-03-01&start_date=x');
    expect([bad.status, bad.headers.has('warning')]).toEqual([422, false]);
    expect((await client.get('/api/v1/balances?start_date=')).headers.has('warning')).toBe(false);
  });

  it('all invalid query parameters of balances are reported together', async () => {
    expect(await refused('?account_id=x&start_date=y&currency=1')).toHaveLength(3);
  });

  it('a balance record is read by id, and an unknown, malformed or foreign id is 404', async () => {
    const { balances } = await list('?per_page=1');
    const { id } = balances[0];
    expect((await client.get(`/api/v1/balances/${id}`)).body).toEqual(balances[0]);
    const stranger = await createClient(tidemark);
    for (const [who, path] of [
      [client, UNKNOWN_ID],
      [client, 'nonsense'],
      [stranger, id],
    ] as const) {
      const answer = await who.get(`/api/v1/balances/${path}`);
      expect([answer.status, answer.body.error]).toEqual([404, 'record_not_found']);
    }
  });

  it('the balance of a liability is the positive amount owed', async () => {
    const connection = await createConnection(tidemark, client.userId);
    const card = snapshotAccount({
      name: 'Card',
      suggestedType: 'credit_card',
      balance: balance(-61_245),
      transactions: [transaction('2026-03-14', -1_875), transaction('2026-03-15', 20_000)],
    });
    const { accountId } = await writeSnapshot(tidemark, connection, card);
    const { balances } = await list(`?account_id=${accountId}`);
    expect(balances[0]).toMatchObject({
      flows_factor: -1,
      balance_cents: 61_245,
      cash_inflows_cents: 20_000,
      start_balance_cents: 81_245,
    });
  });

  it('a balance record has no cash part if its account has no cash', async () => {
    const connection = await createConnection(tidemark, client.userId);
    const loan = snapshotAccount({ name: 'Loan', suggestedType: 'loan', balance: balance(-900_000) });
    const { accountId } = await writeSnapshot(tidemark, connection, loan);
    const { balances } = await list(`?account_id=${accountId}`);
    expect(balances[0]).toMatchObject({ cash_balance: null, cash_balance_cents: null, balance_cents: 900_000 });
  });
});

describe('stored balance history', () => {
  let tidemark: TestApp;
  let client: TestClient;

  beforeAll(async () => {
    tidemark = await startTestApp();
    client = await createClient(tidemark);
  });
  afterAll(() => tidemark.stop());

  const rows = async (accountId: string) =>
    (await client.get(`/api/v1/balances?per_page=100&account_id=${accountId}`)).body.balances as Record<
      string,
      unknown
    >[];

  it('a sync with the same snapshot again writes no balance record', async () => {
    const connection = await createConnection(tidemark, client.userId);
    const account = snapshotAccount({ balance: balance(5_000), transactions: [transaction('2026-03-10', 1_000)] });
    const first = await writeSnapshot(tidemark, connection, account);
    const before = await rows(first.accountId);
    expect(first).toMatchObject({ added: 1, balancesWritten: 6 });
    const again = await writeSnapshot(tidemark, connection, account);
    expect(again).toMatchObject({ added: 0, updated: 0, removed: 0, balancesWritten: 0 });
    expect(await rows(first.accountId)).toEqual(before);
  });

  it('a changed balance record keeps its id and created_at, and updated_since lists it alone', async () => {
    const connection = await createConnection(tidemark, client.userId);
    const opening = snapshotAccount({ balance: balance(5_000), transactions: [transaction('2026-03-10', 1_000)] });
    const { accountId } = await writeSnapshot(tidemark, connection, opening);
    const before = await rows(accountId);
    const spent = transaction('2026-03-15', -700);
    const next = { ...opening, balance: balance(4_300), transactions: [...opening.transactions, spent] };
    tidemark.clock.set('2026-03-15T13:00:00Z');
    expect(await writeSnapshot(tidemark, connection, next)).toMatchObject({ added: 1, balancesWritten: 1 });
    const after = await rows(accountId);
    expect(after.slice(1)).toEqual(before.slice(1));
    expect(after[0]).toMatchObject({ id: before[0]!.id, created_at: before[0]!.created_at, balance_cents: 4_300 });
    expect(after[0]!.updated_at).not.toBe(before[0]!.updated_at);
    const since = `account_id=${accountId}&updated_since=${after[0]!.updated_at as string}`;
    const { body } = await client.get(`/api/v1/balances?${since}&sort=date`);
    expect([body.balances, body.pagination.total_count]).toEqual([[after[0]], 1]);
    const csv = await client.get(`/api/v1/balances?${since}`, { Accept: 'text/csv' });
    expect((csv.body as string).trim().split('\n')).toHaveLength(2);
    const { transactions } = (await client.get(`/api/v1/transactions?${since}`)).body;
    expect(transactions.map(({ date }: { date: string }) => date)).toEqual(['2026-03-15']);
    for (const other of ['cursor=first', 'as_of=2026-03-15T13:00:00Z'])
      expect((await client.get(`/api/v1/balances?${since}&${other}`)).status).toBe(422);
  });

  it('the balance history is derived again when the account type changes', async () => {
    const connection = await createConnection(tidemark, client.userId);
    const account = snapshotAccount({ balance: balance(-5_000) });
    const { accountId } = await writeSnapshot(tidemark, connection, account);
    expect((await rows(accountId))[0]).toMatchObject({ balance_cents: -5_000, flows_factor: 1 });
    await client.patch(`/api/v1/accounts/${accountId}`, { account_type: 'loan' });
    expect((await rows(accountId))[0]).toMatchObject({ balance_cents: 5_000, flows_factor: -1 });
  });

  it('an account has no balance history before its first balance report or in an unsupported currency', async () => {
    const connection = await createConnection(tidemark, client.userId);
    const silent = await writeSnapshot(
      tidemark,
      connection,
      snapshotAccount({ transactions: [transaction('2026-03-10', 1)] }),
    );
    const miles = await writeSnapshot(
      tidemark,
      connection,
      snapshotAccount({ currency: 'https://bank.example/miles' }),
    );
    expect([silent.balancesWritten, miles.balancesWritten]).toEqual([0, 0]);
  });

  it('the balance history ends today in the timezone of the user', async () => {
    const tokyo = await createClient(tidemark, { timeZone: 'Asia/Tokyo' });
    tidemark.clock.set('2026-03-15T16:00:00Z');
    const connection = await createConnection(tidemark, tokyo.userId);
    await writeSnapshot(tidemark, connection, snapshotAccount({ balance: balance(1) }), 'Asia/Tokyo');
    const { body } = await tokyo.get('/api/v1/balances');
    expect(body.balances.map((row: { date: string }) => row.date)).toEqual(['2026-03-16']);
  });

  it('balances are not served without an API key', async () => {
    expect((await send(`${tidemark.url}/api/v1/balances`)).status).toBe(401);
  });
});
