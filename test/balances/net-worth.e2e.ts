import { afterThisTest } from '../support/after-this-test.js';
import { createClient, startTestApp, type TestApp, type TestClient } from '../support/app.js';
import { balance, createConnection, snapshotAccount, transaction, writeSnapshot } from '../support/factories.js';
import { noteEverything } from '../support/noted.js';

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

  it('net worth sums the accounts of one currency and names those of others instead of converting them', async () => {
    const body = await get();
    expect(body).toMatchObject({ currency: 'USD', currencies: ['USD', 'EUR'], granularity: 'day' });
    const totals = (of: typeof body) =>
      of.accounts.map((total: { account: { name: string }; net_worth_cents: number }) => [
        total.account.name,
        total.net_worth_cents,
      ]);
    expect(totals(body)).toEqual([
      ['Card', -20_000],
      ['Checking', 100_000],
    ]);
    expect(totals(await get('?end_date=2026-03-13'))).toEqual([['Card', -20_000]]);
    expect((await get('?currency=EUR')).accounts[0]).toMatchObject({ currency: 'EUR', net_worth: '€70.00' });
    expect(body.net_worth.at(-1)).toEqual({
      date: '2026-03-15',
      assets: '$1,000.00',
      assets_cents: 100_000,
      liabilities: '$200.00',
      liabilities_cents: 20_000,
      net_worth: '$800.00',
      net_worth_cents: 80_000,
      // The first balance of Checking may lack the $300.00 listed beside it.
      lowest: '$800.00',
      lowest_cents: 80_000,
      highest: '$1,100.00',
      highest_cents: 110_000,
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
        message: 'Card is estimated on 4 days of the sums.',
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
        message: 'Checking is estimated on 2 days of the sums.',
      },
      expect.objectContaining({ kind: 'other_currency', account_name: 'Euros' }),
      expect.objectContaining({ kind: 'no_history', account_name: 'Silent' }),
    ]);
  });

  it('net worth begins with the history, ends today, and has a point per day, week or month', async () => {
    expect(await points('')).toEqual([
      ['2026-03-12', -20_000],
      ['2026-03-13', -20_000],
      ['2026-03-14', 80_000],
      ['2026-03-15', 80_000],
    ]);
    expect(await points('?granularity=month&end_date=2030-01-01')).toEqual([['2026-03-15', 80_000]]);
    expect(await points('?granularity=week&end_date=2026-03-14')).toEqual([['2026-03-14', 80_000]]);
    expect(await points('?start_date=2026-03-13&end_date=2026-03-13')).toEqual([['2026-03-13', -20_000]]);
    const { net_worth, warnings } = await get('?start_date=2027-01-01');
    expect(net_worth).toEqual([]);
    expect(warnings.map((warning: { account_name: string }) => warning.account_name)).toEqual(['Euros', 'Silent']);
  });

  it('net worth is in the requested currency', async () => {
    const body = await get('?currency=eur');
    expect(body.net_worth).toEqual([expect.objectContaining({ date: '2026-03-15', net_worth: '€70.00' })]);
    expect(body.warnings.map(({ kind }: { kind: string }) => kind)).toEqual([
      'other_currency',
      'other_currency',
      'no_history',
    ]);
    expect((await get('?currency=CHF')).net_worth).toEqual([]);
  });

  it('net worth does not carry forward an account that is no longer synced', async () => {
    await tidemark.em().getConnection().execute(`update accounts set status = 'missing' where name = 'Card'`);
    expect((await points('')).at(-1)).toEqual(['2026-03-15', 100_000]);
    expect((await get()).warnings).toContainEqual({
      kind: 'ends_earlier',
      account_id: expect.any(String),
      account_name: 'Card',
      message: 'Card is known until 2026-03-13 and not part of the sums after that day.',
    });
    const { warnings } = await get('?end_date=2026-03-13');
    expect(warnings.map(({ kind }: { kind: string }) => kind)).not.toContain('ends_earlier');
    await tidemark.em().getConnection().execute(`update accounts set status = 'active' where name = 'Card'`);
  });

  it('net worth is the same when many balances are read in parts, also of accounts with a changed currency', async () => {
    const rich = await createClient(tidemark);
    const connection = await createConnection(tidemark, rich.userId);
    for (let n = 1; n <= 12; n++) await writeSnapshot(tidemark, connection, snapshotAccount({ name: `Account ${n}` }));
    // Twelve accounts, of which 8,334 days are read at once. On day n there is n in the one, and twice that in the other,
    // but for a hundred days in yen.
    await tidemark.em().execute(
      `insert into balances (user_id, account_id, date, currency, flows_factor, has_cash, start_cash, start_non_cash,
         cash_inflows, cash_outflows, non_cash_inflows, non_cash_outflows, net_market_flows, cash_adjustments,
         non_cash_adjustments, end_cash, end_non_cash)
       select user_id, id, '2026-03-15'::date - 9999 + n, case when factor = 2 and n / 100 = 85 then 'JPY' else 'USD' end,
         1, true, factor * n, 0, 0, 0, 0, 0, 0, 0, 0, factor * n, 0
       from accounts, generate_series(0, 9999) n, (values ('Account 1', 1), ('Account 2', 2)) one (called, factor)
       where user_id = ? and name = called`,
      [rich.userId],
    );
    await noteEverything(tidemark, rich.userId);
    const { net_worth: all } = await get('?currency=USD', rich);
    const expected = Array.from({ length: 10_000 }, (_, n) => (n >= 8_500 && n < 8_600 ? n : 3 * n));
    expect(all.map((point: { net_worth_cents: number }) => point.net_worth_cents)).toEqual(expected);
    const { net_worth: yen } = await get('?currency=JPY&granularity=month', rich);
    expect(yen.at(-1)).toMatchObject({ date: '2026-03-15', net_worth_cents: 0 });
  });

  it('net worth names the days on which an account had another currency and counts only uncertain days in its own', async () => {
    afterThisTest(() => tidemark.clock.set('2026-03-15T12:00:00Z'));
    const mover = await createClient(tidemark);
    const connection = await createConnection(tidemark, mover.userId);
    const account = snapshotAccount({ name: 'Mover' });
    for (const [day, currency] of [
      ['2026-03-10', 'USD'],
      ['2026-03-11', 'EUR'],
      ['2026-04-20', 'EUR'],
      ['2026-04-21', 'USD'],
    ] as const) {
      tidemark.clock.set(`${day}T12:00:00Z`);
      await writeSnapshot(tidemark, connection, { ...account, currency, balance: balance(10_000) });
    }
    await tidemark.em().execute('delete from uncertain_days where user_id = ?', [mover.userId]);
    await tidemark.em().execute(
      `insert into uncertain_days (user_id, account_id, start_date, end_date, level)
       select user_id, id, first_day::date, last_day::date, 'estimated'
       from accounts, (values ('2026-03-10', '2026-03-10'), ('2026-03-20', '2026-03-25')) range (first_day, last_day)
       where user_id = ?`,
      [mover.userId],
    );
    const warnings = async (query: string) =>
      (await get(query, mover)).warnings.map(({ kind, message }: { kind: string; message: string }) => [kind, message]);
    const isEuros = [
      'other_currency',
      'Mover has no balance in USD from 2026-03-11 to 2026-04-20 and is not part of the sums of those days.',
    ];
    expect(await warnings('')).toEqual([isEuros, ['estimated', 'Mover is estimated on 1 day of the sums.']]);
    expect(await warnings('?start_date=2026-04-20')).toEqual([isEuros]);
    expect(await warnings('?start_date=2026-04-21')).toEqual([]);
    expect(await warnings('?currency=EUR')).toEqual([
      ['estimated', 'Mover is estimated on 6 days of the sums.'],
      ['other_currency', 'Mover is in USD and not part of the sums, which are in one currency.'],
    ]);
  });

  it('net worth is empty for a user without accounts', async () => {
    const empty = { currency: null, currencies: [], granularity: 'day', net_worth: [], accounts: [], warnings: [] };
    expect(await get('', await createClient(tidemark))).toEqual(empty);
  });

  it('all invalid query parameters of net worth are refused together', async () => {
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
