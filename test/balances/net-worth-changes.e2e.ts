import { afterThisTest } from '../support/after-this-test.js';
import { createClient, startTestApp, type TestApp, type TestClient } from '../support/app.js';
import { balance, createConnection, snapshotAccount, transaction, writeSnapshot } from '../support/factories.js';

interface Change {
  currency: string;
  account?: { name: string };
  [amount: `${string}_cents`]: number;
}

const PARTS = ['start', 'money_in', 'money_out', 'market', 'unexplained', 'end'] as const;
const partsOf = (change: Change) => PARTS.map((part) => change[`${part}_cents`]!);

describe('GET /api/v1/net_worth/changes', () => {
  let tidemark: TestApp;
  let client: TestClient;

  beforeAll(async () => {
    tidemark = await startTestApp();
    client = await createClient(tidemark);
    const connection = await createConnection(tidemark, client.userId);
    // A wage, two transfers (one of them over a weekend, one to a card), a purchase with each, and a fund that moves.
    const paid = [
      transaction('2026-02-20', 500_000),
      transaction('2026-03-02', 200_000),
      transaction('2026-03-06', -50_000),
      transaction('2026-03-10', -20_000),
      transaction('2026-03-11', -7_000),
    ];
    const saved = [transaction('2026-02-10', 100_000), transaction('2026-03-09', 50_000)];
    const charged = [
      transaction('2026-02-25', -20_000),
      transaction('2026-03-10', 20_000),
      transaction('2026-03-12', -3_000),
    ];
    const fund = { externalId: 'H-1', symbol: 'FUND', name: 'Fund', quantity: '10', currency: 'USD', price: null };
    const worth = (valueMinor: number) => ({
      ...{ status: 'available' as const, total: null },
      items: [{ ...fund, valueMinor, costBasisMinor: null, cashEquivalent: false }],
    });
    const sync = async (day: string, values: Record<string, number>) => {
      tidemark.clock.set(`${day}T12:00:00Z`);
      const write = (name: string, transactions: typeof paid, more: object = {}) => {
        const listed = transactions.filter(({ date }) => date <= day);
        const account = { name, externalId: name, balance: balance(values[name]!), transactions: listed, ...more };
        return writeSnapshot(tidemark, connection, snapshotAccount(account));
      };
      await write('Checking', paid);
      await write('Savings', saved);
      await write('Card', charged, { suggestedType: 'credit_card' });
      await write('Fund', [], { suggestedType: 'investment', holdings: worth(values.Fund!) });
    };
    await sync('2026-03-01', { Checking: 500_000, Savings: 100_000, Card: -20_000, Fund: 300_000 });
    await sync('2026-03-13', { Checking: 623_000, Savings: 150_000, Card: -3_000, Fund: 312_000 });
    await sync('2026-03-15', { Checking: 623_000, Savings: 150_500, Card: -3_000, Fund: 309_000 });
    const young = snapshotAccount({
      name: 'Young',
      balance: balance(9_000),
      transactions: [transaction('2026-03-14', 9_000)],
    });
    await writeSnapshot(tidemark, connection, young);
    await writeSnapshot(
      tidemark,
      connection,
      snapshotAccount({ name: 'Euros', currency: 'EUR', balance: balance(7_000) }),
    );
  });
  afterAll(() => tidemark.stop());

  const get = async (query: string) => (await client.get(`/api/v1/net_worth/changes${query}`)).body;
  const MARCH = '?start_date=2026-03-02&end_date=2026-03-15';

  it('the changes of net worth add up from its start to its end, without transfers between own accounts', async () => {
    const { currencies } = await get(MARCH);
    expect(currencies.map(({ currency }: Change) => currency)).toEqual(['USD']);
    expect(currencies[0]).toMatchObject({ accounts_count: 4, transferred_cents: 70_000, money_in: '$2,000.00' });
    expect(partsOf(currencies[0])).toEqual([880_000, 200_000, 10_000, 9_000, 500, 1_079_500]);
    const { body } = await client.get('/api/v1/net_worth?start_date=2026-03-01');
    const points = body.net_worth.map(({ net_worth_cents: cents }: { net_worth_cents: number }) => cents);
    // The account that is known since the 14th is in the sums and not compared.
    expect([points[0], points.at(-1) - 9_000]).toEqual([880_000, 1_079_500]);
  });

  it('the changes of each account are the sums of its balance records', async () => {
    const { accounts } = await get(MARCH);
    const { body } = await client.get('/api/v1/balances?start_date=2026-03-02&sort=date&per_page=100');
    for (const change of accounts as Change[]) {
      const own = body.balances.filter(
        ({ account }: { account: { name: string } }) => account.name === change.account!.name,
      );
      const sum = (...members: string[]) =>
        own.reduce(
          (total: number, row: Record<string, number>) =>
            members.reduce((all, member) => all + row[`${member}_cents`]!, total),
          0,
        );
      const factor = own[0].flows_factor;
      expect([change.account!.name, ...partsOf(change)]).toEqual([
        change.account!.name,
        own[0].start_balance_cents * factor,
        sum('cash_inflows', 'non_cash_inflows'),
        sum('cash_outflows', 'non_cash_outflows'),
        sum('net_market_flows') * factor || 0,
        sum('cash_adjustments', 'non_cash_adjustments') * factor || 0,
        own.at(-1).end_balance_cents * factor,
      ]);
    }
  });

  it('an account that is known since a day of the period is listed since then and is not part of the totals', async () => {
    const { accounts } = await get(MARCH);
    const found = accounts.filter(({ account }: Change) => ['Young', 'Euros'].includes(account!.name));
    expect(found).toMatchObject([
      { account: { name: 'Young' }, compared: false, since: '2026-03-14', end_cents: 9_000 },
      { account: { name: 'Euros' }, compared: false, since: '2026-03-15', end_cents: 7_000 },
    ]);
  });

  it('a transaction that is left out is no part of a transfer', async () => {
    const { transactions } = (await client.get('/api/v1/transactions?start_date=2026-03-06&end_date=2026-03-06')).body;
    const path = `/api/v1/transactions/${transactions[0].id}`;
    expect((await client.patch(path, { excluded: true })).status).toBe(200);
    expect((await get(MARCH)).currencies[0]).toMatchObject({ transferred_cents: 20_000 });
    expect((await client.delete(`${path}/correction`)).status).toBe(204);
    expect((await get(MARCH)).currencies[0]).toMatchObject({ transferred_cents: 70_000 });
  });

  it('a transfer to an account that lists its transactions with the opposite sign cancels as any other', async () => {
    const reverse = async (since: string | null) => {
      const ofCard = "(select id from accounts where external_id = 'Card' and user_id = ?)";
      const turn = `update transactions set amount_minor = -amount_minor where account_id = ${ofCard}`;
      await tidemark.em().execute(turn, [client.userId]);
      const mark = `update accounts set transactions_reversed_since = ? where id = ${ofCard}`;
      await tidemark.em().execute(mark, [since, client.userId]);
    };
    await reverse('2026-01-01');
    expect((await get(MARCH)).currencies[0]).toMatchObject({ transferred_cents: 70_000 });
    await reverse(null);
  });

  it('a transfer with one day outside of the period does not cancel', async () => {
    const { currencies } = await get('?start_date=2026-03-07&end_date=2026-03-09');
    expect(partsOf(currencies[0])).toEqual([1_030_000, 50_000, 0, 0, 0, 1_080_000]);
  });

  it('an account without records in the period keeps its last balance, and a closed one ends', async () => {
    afterThisTest(() => tidemark.clock.set('2026-03-15T12:00:00Z'));
    tidemark.clock.set('2026-03-20T12:00:00Z');
    const quiet = await get('?start_date=2026-03-17');
    expect(partsOf(quiet.currencies[0])).toEqual([1_088_500, 0, 0, 0, 0, 1_088_500]);
    const close = async (closed_on: string | null) => {
      const { accounts } = await get(MARCH);
      const { id } = accounts.find(({ account }: Change) => account!.name === 'Savings').account;
      await tidemark.em().execute('update accounts set closed_on = ? where id = ?', [closed_on, id]);
    };
    await close('2026-03-15');
    const { currencies } = await get('?start_date=2026-03-15&end_date=2026-03-16');
    expect(currencies[0]).toMatchObject({ unexplained_cents: -150_000, end_cents: 938_000 });
    await close(null);
  });

  it('the changes of net worth are those of the last 30 days until today, and of the accounts asked for', async () => {
    const { start_date, end_date, accounts } = await get('');
    expect([start_date, end_date]).toEqual(['2026-02-14', '2026-03-15']);
    const [{ account }] = accounts;
    const only = await get(`?account_id=${account.id}&end_date=2030-01-01`);
    expect([only.end_date, only.accounts.length]).toEqual(['2026-03-15', 1]);
    expect(await get('?start_date=2027-01-01')).toMatchObject({ currencies: [], accounts: [] });
  });
});
