import type { TestApp, TestClient } from '../support/app.js';
import { besideScriptedBank, connected, type ScriptedBank } from '../support/scripted-bank.js';
import { wireAccount, wireTransaction } from '../support/scripted-us-provider.js';
import { ended, synced } from '../support/syncs.js';

describe('currencies of accounts', () => {
  let bank: ScriptedBank;
  let client: TestClient;
  let tidemark: TestApp;
  besideScriptedBank((scene) => ({ bank, client, tidemark } = scene));

  async function sync(more: object) {
    bank.lists([wireAccount({ 'available-balance': null, ...more })]);
    const connection = await connected(client, bank.token());
    return ended(client, connection.latest_sync_id);
  }
  const account = async () => (await client.get('/api/v1/accounts')).body.accounts[0];
  const balances = async () => (await client.get('/api/v1/balances')).body.balances;

  it.each([
    ['JPY', '1001', '-99', { balance: '¥1,001', balance_cents: 1_001, cash_outflows: '¥99', cash_outflows_cents: 99 }],
    [
      'KWD',
      '1.234',
      '-0.001',
      { balance: 'KWD 1.234', balance_cents: 1_234, cash_outflows: 'KWD 0.001', cash_outflows_cents: 1 },
    ],
    [
      'BHD',
      '1000.5',
      '-.25',
      { balance: 'BHD 1,000.500', balance_cents: 1_000_500, cash_outflows: 'BHD 0.250', cash_outflows_cents: 250 },
    ],
    [
      'CLF',
      '37.1234',
      '-1',
      { balance: 'CLF 37.1234', balance_cents: 371_234, cash_outflows: 'CLF 1.0000', cash_outflows_cents: 10_000 },
    ],
    [
      'BTC',
      '0.5',
      '-0.00000001',
      { balance: 'BTC 0.50000000', balance_cents: 50_000_000, cash_outflows: 'BTC 0.00000001', cash_outflows_cents: 1 },
    ],
    [
      'ETH',
      '1.123456789123456789',
      '-1',
      {
        balance: 'ETH 1.12345679',
        balance_cents: 112_345_679,
        cash_outflows: 'ETH 1.00000000',
        cash_outflows_cents: 1e8,
      },
    ],
    [
      'XAU',
      '1.5',
      '-.25',
      { balance: 'XAU 1.5000', balance_cents: 15_000, cash_outflows: 'XAU 0.2500', cash_outflows_cents: 2_500 },
    ],
    ['usd', '1.5', '-1', { balance: '$1.50', balance_cents: 150, cash_outflows: '$1.00', cash_outflows_cents: 100 }],
  ])('amounts in %s are counted in its own minor units', async (currency, balance, amount, expected) => {
    const transactions = [wireTransaction('T-1', '2026-03-15', amount)];
    expect(await sync({ currency, balance, transactions })).toMatchObject({ status: 'succeeded', problems: [] });
    const code = currency.toUpperCase();
    const { balance: text, balance_cents: minor } = expected;
    expect(await account()).toMatchObject({
      currency: code,
      currency_supported: true,
      balance: text,
      balance_cents: minor,
    });
    expect(await balances()).toMatchObject([{ currency: code, ...expected }]);
  });

  it.each([
    ['a URL', 'https://bank.example/rewards/points', 'https://bank.example/rewards/points'],
    ['a word', 'globetrot-miles', 'globetrot-miles'],
    ['an unknown code', 'ZZZ', 'ZZZ'],
    ['XDR, which has no minor unit', 'XDR', 'XDR'],
  ])(
    'an account whose currency is %s is shown as reported without a history, and its sync succeeds with a note of what is left out',
    async (_, currency, shown) => {
      const transactions = [wireTransaction('T-1', '2026-03-15', '-5')];
      expect(await sync({ currency, balance: '48210', transactions })).toMatchObject({
        status: 'succeeded',
        problems: [
          {
            ...{ kind: 'unsupported_currency', severity: 'note' },
            message: expect.stringContaining('1 transaction is left out'),
          },
        ],
      });
      expect(await account()).toMatchObject({
        ...{ name: 'Everyday Checking', currency: shown, currency_supported: false },
        ...{ balance: null, balance_cents: null, available: null, unsupported_balance: '48210' },
      });
      expect(await balances()).toEqual([]);
      expect((await client.patch(`/api/v1/accounts/${(await account()).id}`, { account_type: 'loan' })).status).toBe(
        200,
      );
    },
  );

  it('the balance of an account in an unsupported currency follows the newest report', async () => {
    await sync({ currency: 'miles', balance: '48210' });
    const { connection_id: connectionId } = await account();
    const { headers } = await client.get('/api/v1/accounts');
    bank.lists([wireAccount({ currency: 'miles', balance: '51000', 'available-balance': null })]);
    await synced(client, connectionId);
    const ifChanged = { 'If-None-Match': headers.get('etag')! };
    const { status, body } = await client.get('/api/v1/accounts', ifChanged);
    expect([status, body.accounts?.[0].unsupported_balance]).toEqual([200, '51000']);
  });

  it.each([
    ['empty', ''],
    ['missing', null],
    ['blank', '  '],
  ])('a currency that is %s is not guessed, and the sync of its account has a warning', async (_, currency) => {
    const run = await sync({ currency, transactions: [wireTransaction('T-1', '2026-03-15', '-5')] });
    expect(run).toMatchObject({ status: 'partial', problems: [{ kind: 'data_incomplete' }] });
    expect(run.problems[0].account_id).toBe((await account()).id);
    expect(await account()).toMatchObject({ currency: null, currency_supported: false, balance: null });
    expect(await balances()).toEqual([]);
  });

  it('an account without a currency gets its history once the bank reports one', async () => {
    await sync({ currency: '', balance: '7.00' });
    const { id, connection_id: connectionId } = await account();
    bank.lists([wireAccount({ currency: 'EUR', balance: '7.00' })]);
    const { body } = await client.post(`/api/v1/connections/${connectionId}/sync`);
    await ended(client, body.id);
    expect(await account()).toMatchObject({ id, currency: 'EUR', currency_supported: true, balance: '€7.00' });
    expect(await balances()).toMatchObject([{ currency: 'EUR', balance_cents: 700 }]);
  });

  describe('a currency change from lev to euro at 1.95583', () => {
    const lists = (currency: string, balance: string, ...amounts: [string, string][]) =>
      bank.lists([
        wireAccount({
          ...{ currency, balance, 'available-balance': null, 'balance-date': null },
          transactions: amounts.map(([date, amount], index) => wireTransaction(`T-${index + 1}`, date, amount)),
        }),
      ]);
    const on = (day: string) => tidemark.clock.set(`${day}T12:00:00Z`);
    const days = async (query = '') => (await client.get(`/api/v1/balances?per_page=100${query}`)).body.balances;
    const summary = async (query = '') =>
      (await days(query)).map((day: Record<string, unknown>) => [day['date'], day['currency'], day['balance_cents']]);

    /** On 15 March 1,955.83 lev after lunch for 39.12; on the 16th the same in euros, and coffee for 4.00. */
    async function reDenominated() {
      on('2026-03-15');
      lists('BGN', '1955.83', ['2026-03-14', '-39.12']);
      const { id } = await connected(client, bank.token());
      await ended(client, (await client.get(`/api/v1/connections/${id}`)).body.latest_sync_id);
      const before = await days();
      on('2026-03-16');
      lists('EUR', '996.00', ['2026-03-14', '-20.00'], ['2026-03-16', '-4.00']);
      expect(await synced(client, id)).toMatchObject({ status: 'succeeded', problems: [] });
      return { id, before };
    }

    it('an account cannot be closed on a day before its history in the new currency begins', async () => {
      await reDenominated();
      const { status, body } = await client.patch(`/api/v1/accounts/${(await account()).id}`, {
        closed_on: '2026-03-15',
      });
      const problem = "closed_on must not be before 2026-03-16, the first day of the account's history";
      expect([status, body.errors]).toEqual([422, [problem]]);
      expect(await summary()).toHaveLength(3);
    });

    it('a currency change ends the old history unchanged and begins another one', async () => {
      const { id, before } = await reDenominated();
      expect(await summary()).toEqual([
        ['2026-03-16', 'EUR', 99_600],
        ['2026-03-15', 'BGN', 195_583],
        ['2026-03-14', 'BGN', 195_583],
      ]);
      expect((await days()).slice(1)).toEqual(before);
      expect(await account()).toMatchObject({ currency: 'EUR', balance: '€996.00', balance_cents: 99_600 });
      for (const [currency, count] of [
        ['EUR', 1],
        ['BGN', 2],
      ]) {
        const { body } = await client.get(`/api/v1/balances?currency=${currency}`);
        expect(body.pagination.total_count).toBe(count);
        expect(body.balances).toHaveLength(count as number);
      }
      on('2026-03-17');
      await synced(client, id);
      expect((await summary()).slice(0, 2)).toEqual([
        ['2026-03-17', 'EUR', 99_600],
        ['2026-03-16', 'EUR', 99_600],
      ]);
      expect((await days()).slice(2)).toEqual(before);
    });

    it('the list of balances still has an entity tag after a currency change', async () => {
      await reDenominated();
      const { headers } = await client.get('/api/v1/balances');
      const ifChanged = { 'If-None-Match': headers.get('etag') ?? '' };
      expect((await client.get('/api/v1/balances', ifChanged)).status).toBe(304);
    });

    it('a currency change keeps the earlier transactions as they were', async () => {
      await reDenominated();
      const { transactions } = (await client.get('/api/v1/transactions')).body;
      expect(transactions.map(({ amount }: { amount: string }) => amount)).toEqual(['-€4.00', '-€20.00']);
      const { body } = await client.get(`/api/v1/transactions/${transactions[1].id}`);
      expect(body.versions).toMatchObject([{ amount: '-€20.00' }, { amount: '-BGN 39.12', amount_cents: -3_912 }]);
    });

    it('the history in the old currency is no part of sums in the new one', async () => {
      await reDenominated();
      const netWorth = async (query = '') =>
        (await client.get(`/api/v1/net_worth?start_date=2026-03-15&granularity=day${query}`)).body;
      const points = ({ net_worth }: { net_worth: Record<string, unknown>[] }) =>
        net_worth.map((point) => [point['date'], point['net_worth_cents']]);
      expect(await netWorth()).toMatchObject({ currency: 'EUR' });
      expect(points(await netWorth())).toContainEqual(['2026-03-16', 99_600]);
      expect(points(await netWorth('&currency=BGN'))).toContainEqual(['2026-03-15', 195_583]);
    });

    it('the history continues when a bank reports another currency by mistake for a day', async () => {
      const { id } = await reDenominated();
      on('2026-03-17');
      lists('BGN', '1948.00', ['2026-03-14', '-39.12'], ['2026-03-16', '-7.82']);
      await synced(client, id);
      expect(await summary()).toEqual([
        ['2026-03-17', 'BGN', 194_800],
        // The bank took the euros back, so they were the mistake.
        ['2026-03-16', 'BGN', 194_801],
        ['2026-03-15', 'BGN', 195_583],
        ['2026-03-14', 'BGN', 195_583],
      ]);
      expect((await client.get('/api/v1/balances?currency=BGN')).body.pagination.total_count).toBe(4);
      expect(await account()).toMatchObject({ currency: 'BGN', balance_cents: 194_800 });
      on('2026-03-18');
      lists('EUR', '996.00', ['2026-03-14', '-20.00'], ['2026-03-16', '-4.00']);
      await synced(client, id);
      expect(await summary()).toEqual([
        ['2026-03-18', 'EUR', 99_600],
        ['2026-03-17', 'EUR', 99_600],
        ['2026-03-16', 'EUR', 99_600],
        ['2026-03-15', 'BGN', 195_583],
        ['2026-03-14', 'BGN', 195_583],
      ]);
    });
  });
});
