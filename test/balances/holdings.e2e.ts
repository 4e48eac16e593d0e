import type { SnapshotMoney } from '../../src/providers/bank-provider.js';
import { afterThisTest } from '../support/after-this-test.js';
import { createClient, startTestApp, type TestApp, type TestClient } from '../support/app.js';
import { balance, createConnection, snapshotAccount, writeSnapshot } from '../support/factories.js';

const position = (externalId: string, valueMinor: number, more = {}) => ({
  ...{ externalId, symbol: externalId, name: `${externalId} fund`, quantity: '1.5', valueMinor, currency: 'USD' },
  ...{ price: null, costBasisMinor: null, cashEquivalent: false, ...more },
});

describe('GET /api/v1/holdings', () => {
  let tidemark: TestApp;
  let client: TestClient;
  let brokerage: string;

  const report = async (
    at: string,
    items: ReturnType<typeof position>[],
    externalId: string,
    name: string,
    total: SnapshotMoney | null = null,
  ) => {
    tidemark.clock.set(at);
    const holdings = { status: 'available' as const, items, total };
    const account = { externalId, name, suggestedType: 'investment', balance: balance(500_000), holdings };
    return (await writeSnapshot(tidemark, connection, snapshotAccount(account))).accountId;
  };
  let connection: Awaited<ReturnType<typeof createConnection>>;

  beforeAll(async () => {
    tidemark = await startTestApp();
    client = await createClient(tidemark);
    connection = await createConnection(tidemark, client.userId);
    await report('2026-03-10T12:00:00Z', [position('OLD', 100_00), position('VTI', 200_00)], 'B', 'Brokerage');
    const newest = [
      position('VTI', 250_00, { quantity: '12.3456', price: '20.25', costBasisMinor: 180_00 }),
      position('EUF', 300_00, { currency: 'EUR', symbol: null }),
      position('MMF', 50_00, { cashEquivalent: true }),
    ];
    brokerage = await report('2026-03-14T12:00:00Z', newest, 'B', 'Brokerage', {
      ...{ amountMinor: 625_40, currency: 'USD' },
    });
    await report('2026-03-14T13:00:00Z', [position('BND', 70_00)], 'C', 'Retirement');
    await report('2026-03-14T14:00:00Z', [], 'D', 'Sold out');
  });
  afterAll(() => tidemark.stop());

  const list = async (query = '') => (await client.get(`/api/v1/holdings${query}`)).body;
  const symbols = async (query: string) =>
    (await list(query)).holdings.map((row: { name: string }) => row.name.slice(0, 3));

  it('the list has the newest holdings of each account with totals per currency', async () => {
    const { holdings, totals, pagination } = await list();
    expect(holdings.map((row: { name: string }) => row.name)).toEqual(['EUF fund', 'VTI fund', 'MMF fund', 'BND fund']);
    expect(holdings[1]).toEqual({
      account: { id: brokerage, name: 'Brokerage' },
      date: '2026-03-14',
      symbol: 'VTI',
      name: 'VTI fund',
      quantity: '12.3456',
      currency: 'USD',
      price: '20.25',
      value: '$250.00',
      value_cents: 250_00,
      cost_basis: '$180.00',
      cost_basis_cents: 180_00,
      cash_equivalent: false,
    });
    expect(holdings[0]).toMatchObject({ symbol: null, cost_basis: null, cost_basis_cents: null, value: '€300.00' });
    expect(totals).toEqual([
      { currency: 'EUR', value: '€300.00', value_cents: 300_00 },
      { currency: 'USD', value: '$370.00', value_cents: 370_00 },
    ]);
    expect(pagination).toEqual({ page: 1, per_page: 25, total_count: 4, total_pages: 1 });
  });

  it('the list has the total that the provider reports, in its currency', async () => {
    const total = {
      ...{ account: { id: brokerage, name: 'Brokerage' }, date: '2026-03-14', currency: 'USD' },
      ...{ reported_total: '$625.40', reported_total_cents: 625_40 },
    };
    expect((await list()).reported_totals).toEqual([total]);
    expect((await list('?currency=usd')).reported_totals).toEqual([total]);
    expect((await list('?currency=eur')).reported_totals).toEqual([]);
    expect((await list('?date=2026-03-13')).reported_totals).toEqual([]);
  });

  it('holdings are filtered by account, currency and date', async () => {
    expect(await symbols(`?account_id=${brokerage}`)).toEqual(['EUF', 'VTI', 'MMF']);
    expect(await symbols('?currency=eur')).toEqual(['EUF']);
    expect(await symbols('?date=2026-03-13')).toEqual(['VTI', 'OLD']);
    expect(await symbols('?date=2026-03-09')).toEqual([]);
  });

  it('an account can have more holdings than one statement can store', async () => {
    const other = await createClient(tidemark);
    const items = Array.from({ length: 5_500 }, (_, index) => position(`P${index}`, 1));
    const holdings = { status: 'available' as const, items, total: null };
    const account = snapshotAccount({
      externalId: 'E',
      suggestedType: 'investment',
      balance: balance(5_500),
      holdings,
    });
    await writeSnapshot(tidemark, await createConnection(tidemark, other.userId), account);
    expect((await other.get('/api/v1/holdings')).body.pagination.total_count).toBe(5_500);
  });

  it('pages of holdings have no overlap and no gap', async () => {
    const pages = await Promise.all([1, 2, 3].map((page) => symbols(`?per_page=2&page=${page}`)));
    expect(pages).toEqual([['EUF', 'VTI'], ['MMF', 'BND'], []]);
  });

  it('all invalid query parameters of holdings are refused together', async () => {
    const { status, body } = await client.get('/api/v1/holdings?account_id=x&date=y&currency=z');
    expect([status, body.errors.length]).toEqual([422, 3]);
  });

  it('holdings of another user are not shown', async () => {
    const stranger = await createClient(tidemark);
    expect((await stranger.get('/api/v1/holdings')).body).toMatchObject({ holdings: [], totals: [] });
  });
});

describe('GET /api/v1/me', () => {
  it('any valid API key can read its user and its scopes', async () => {
    const tidemark = await startTestApp({ RATE_LIMIT_PER_MINUTE: '600' });
    afterThisTest(tidemark.stop);
    const client = await createClient(tidemark, { scopes: ['holdings:read'], timeZone: 'Asia/Tokyo' });
    const { status, body } = await client.get('/api/v1/me');
    expect(status).toBe(200);
    expect(body).toEqual({
      user: { id: client.userId, email: expect.stringContaining('@'), time_zone: 'Asia/Tokyo' },
      key: {
        id: expect.any(String),
        name: 'test',
        hint: `${client.key.slice(0, 6)}…${client.key.slice(-4)}`,
        scopes: ['holdings:read'],
        account_ids: null,
        expires_at: null,
        created_at: '2026-03-15T12:00:00.000Z',
        rotated_at: null,
        previous_valid_until: null,
      },
      limits: { requests_per_minute: 600 },
    });
    expect((await client.get('/api/v1/balances')).status).toBe(403);
  });
});
