import { ApiKeysService } from '../src/auth/api-keys.service.js';
import { startTestApp, type TestApp, TestClient } from './app.js';
import { balance, createConnection, snapshotAccount, transaction, writeSnapshot } from './factories.js';
import { Visitor } from './visitor.js';

describe('the overview', () => {
  let test: TestApp;
  let person: Visitor;
  let client: TestClient;
  let checkingId: string;

  beforeAll(async () => {
    test = await startTestApp({ SIGN_UP: 'open' });
    person = new Visitor(test.url);
    await person.signUp();
    const [user]: { id: string }[] = await test.em().execute('select id from users');
    const wanted = { name: 'test', scopes: ['balances:read' as const], expiresAt: null };
    const { key } = await test.app.get(ApiKeysService).create(user!.id, wanted);
    client = new TestClient(test.url, user!.id, key);
    const connection = await createConnection(test, user!.id);
    const write = (more: object) => writeSnapshot(test, connection, snapshotAccount(more));
    const transactions = [transaction('2025-06-01', 10_000), transaction('2026-03-01', -2_500)];
    ({ accountId: checkingId } = await write({ name: 'Everyday', balance: balance(120_000), transactions }));
    await write({
      ...{ name: 'Visa', balance: balance(-30_000), suggestedType: 'credit_card' },
      transactions: [transaction('2026-02-01', -30_000)],
    });
    await write({
      ...{ name: 'Reisekasse', balance: balance(5_000), currency: 'EUR' },
      transactions: [transaction('2026-03-10', 5_000, { currency: 'EUR' })],
    });
    await write({ name: 'Points', currency: null, suggestedType: null });
  });
  afterAll(() => test.stop());

  it('adds up what is owned and owed, in each currency by itself', async () => {
    const { text } = await person.get('/');
    expect(text).toContain('$900.00 −$25.00 since');
    expect(text).toContain('2 accounts in USD');
    expect(text).toMatch(/€50\.00 .*1 account in EUR/);
  });

  it('shows every account under its kind, with its balance and its shape', async () => {
    const { text, html } = await person.get('/');
    expect(text).toMatch(/Cash Everyday Test bank \$1,200\.00 Reisekasse Test bank €50\.00/);
    expect(text).toMatch(/Credit cards Visa Test bank −\$300\.00/);
    expect(text).toMatch(/Type not known yet Points Test bank No balance yet/);
    expect(html.match(/<svg class="sparkline"/g)).toHaveLength(3);
    expect(html).toContain(`href="/accounts/${checkingId}"`);
  });

  it.each([
    ['30d', '13 Feb 2026'],
    ['90d', '1 Feb 2026'],
    ['1y', '1 Feb 2026'],
    ['all', '1 Feb 2026'],
    ['nonsense', '1 Feb 2026'],
  ])('counts the change of the range %s from the day on which all balances are known', async (range, since) => {
    const { text, html } = await person.get(`/?range=${range}`);
    expect(text).toContain(`since ${since}`);
    const current = range === 'nonsense' ? '1y' : range;
    expect(html).toContain(`href="/?range=${current}" aria-current="true"`);
  });

  it('draws the line dashed where it lacks an account, and names the account', async () => {
    const { text, html } = await person.get('/?range=all');
    expect(text).toContain('Dashed before 1 Feb 2026: Visa is counted from its first known balance on.');
    expect(html.match(/<polyline class="dashed"/g)).toHaveLength(1);
    const { text: newest, html: solid } = await person.get('/?range=30d');
    expect(newest).not.toContain('Dashed before');
    expect(solid).not.toContain('class="dashed"');
  });

  it('draws what the API says, each currency from its own first day', async () => {
    const { html } = await person.get('/?range=all');
    const charts = [...html.matchAll(/<script type="application\/json">(.*?)<\/script>/g)].map(([, json]) =>
      JSON.parse(json!),
    );
    expect(charts.map(({ currency, days }) => [currency, days.first])).toEqual([
      ['USD', '2025-06-01'],
      ['EUR', '2026-03-10'],
    ]);
    for (const { currency, lines } of charts) {
      const { body } = await client.get(`/api/v1/net_worth?currency=${currency}`);
      const served = body.net_worth.map((point: { net_worth_cents: number }) => point.net_worth_cents);
      expect(lines[0].values).toEqual(served);
    }
  });

  it('is empty for somebody else', async () => {
    const stranger = new Visitor(test.url);
    await stranger.signUp('bert@example.com');
    const { text } = await stranger.get('/');
    expect(text).toContain('Connect your first bank');
    expect(text).not.toContain('Everyday');
    expect((await stranger.get(`/accounts/${checkingId}`)).status).toBe(404);
    expect((await stranger.get(`/accounts/${checkingId}/reconciliation`)).status).toBe(404);
  });
});
