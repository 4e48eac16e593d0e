import { createClient, startTestApp, type TestApp, type TestClient } from './app.js';
import { balance, createConnection, snapshotAccount, transaction, writeSnapshot } from './factories.js';

describe('GET /api/v1/net_worth', () => {
  let tidemark: TestApp;
  let client: TestClient;

  beforeAll(async () => {
    tidemark = await startTestApp();
    client = await createClient(tidemark);
    const connection = await createConnection(tidemark, client.userId);
    const write = (more: Parameters<typeof snapshotAccount>[0]) =>
      writeSnapshot(tidemark, connection, snapshotAccount(more));
    tidemark.clock.set('2026-03-13T12:00:00Z');
    await write({
      name: 'Card',
      suggestedType: 'credit_card',
      balance: balance(-20_000),
      transactions: [transaction('2026-03-12', -5_000)],
    });
    tidemark.clock.set('2026-03-15T12:00:00Z');
    await write({ name: 'Checking', balance: balance(100_000), transactions: [transaction('2026-03-14', 30_000)] });
    await write({ name: 'Euros', currency: 'EUR', balance: balance(7_000) });
    await write({ name: 'Silent' });
  });
  afterAll(() => tidemark.stop());

  const get = async (query = '', who = client) => (await who.get(`/api/v1/net_worth${query}`)).body;
  const points = async (query: string) =>
    (await get(query)).net_worth.map((point: { date: string; net_worth_cents: number }) => [
      point.date,
      point.net_worth_cents,
    ]);

  it('adds up the accounts of one currency and names the others instead of converting them', async () => {
    const body = await get();
    expect(body).toMatchObject({ currency: 'USD', granularity: 'day' });
    expect(body.net_worth.at(-1)).toEqual({
      date: '2026-03-15',
      assets: '$1,000.00',
      assets_cents: 100_000,
      liabilities: '$200.00',
      liabilities_cents: 20_000,
      net_worth: '$800.00',
      net_worth_cents: 80_000,
    });
    expect(body.warnings).toEqual([
      {
        kind: 'carried_forward',
        account_id: expect.any(String),
        account_name: 'Card',
        message: 'Card is known until 2026-03-13; its balance of that day is carried forward.',
      },
      {
        kind: 'estimated',
        account_id: expect.any(String),
        account_name: 'Card',
        message: 'Card is not certain on 2 days of the sums.',
      },
      {
        kind: 'begins_later',
        account_id: expect.any(String),
        account_name: 'Checking',
        message: 'Checking is known from 2026-03-14 on and not part of the sums before that day.',
      },
      {
        kind: 'estimated',
        account_id: expect.any(String),
        account_name: 'Checking',
        message: 'Checking is not certain on 2 days of the sums.',
      },
      expect.objectContaining({ kind: 'other_currency', account_name: 'Euros' }),
      expect.objectContaining({ kind: 'no_history', account_name: 'Silent' }),
    ]);
  });

  it('begins with the history, ends today, and has a point per day, week or month', async () => {
    expect(await points('')).toEqual([
      ['2026-03-12', -20_000],
      ['2026-03-13', -20_000],
      ['2026-03-14', 80_000],
      ['2026-03-15', 80_000],
    ]);
    expect(await points('?granularity=month&end_date=2030-01-01')).toEqual([['2026-03-15', 80_000]]);
    expect(await points('?granularity=week&end_date=2026-03-14')).toEqual([['2026-03-14', 80_000]]);
    expect(await points('?start_date=2026-03-13&end_date=2026-03-13')).toEqual([['2026-03-13', -20_000]]);
    expect(await points('?start_date=2027-01-01')).toEqual([]);
  });

  it('is of another currency when asked', async () => {
    const body = await get('?currency=eur');
    expect(body.net_worth).toEqual([expect.objectContaining({ date: '2026-03-15', net_worth: '€70.00' })]);
    expect(body.warnings.map(({ kind }: { kind: string }) => kind)).toEqual([
      'other_currency',
      'other_currency',
      'no_history',
    ]);
    expect((await get('?currency=CHF')).net_worth).toEqual([]);
  });

  it('does not go on with an account that is followed no more', async () => {
    await tidemark.em().getConnection().execute(`update accounts set status = 'missing' where name = 'Card'`);
    expect((await points('')).at(-1)).toEqual(['2026-03-15', 100_000]);
    await tidemark.em().getConnection().execute(`update accounts set status = 'active' where name = 'Card'`);
  });

  it('is empty for somebody without accounts', async () => {
    const empty = { currency: null, granularity: 'day', net_worth: [], warnings: [] };
    expect(await get('', await createClient(tidemark))).toEqual(empty);
  });

  it('refuses all bad parameters at once', async () => {
    const { status, body } = await client.get('/api/v1/net_worth?currency=1&start_date=x&granularity=year');
    expect([status, body.errors]).toEqual([
      422,
      [
        'currency must be a currency code of three letters',
        'start_date must be a date (YYYY-MM-DD)',
        'granularity must be one of: day, week, month',
      ],
    ]);
  });
});
