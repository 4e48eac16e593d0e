import { startTestApp, type TestApp } from './app.js';
import { balance, createConnection, snapshotAccount, transaction, writeSnapshot } from './factories.js';
import { Visitor } from './visitor.js';

describe('the overview', () => {
  let test: TestApp;
  let person: Visitor;
  let checkingId: string;

  beforeAll(async () => {
    test = await startTestApp({ SIGN_UP: 'open' });
    person = new Visitor(test.url);
    await person.signUp();
    const [user]: { id: string }[] = await test.em().execute('select id from users');
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
    ['90d', '15 Dec 2025'],
    ['1y', '1 Jun 2025'],
    ['all', '1 Jun 2025'],
    ['nonsense', '1 Jun 2025'],
  ])('begins with the range %s', async (range, since) => {
    const { text, html } = await person.get(`/?range=${range}`);
    expect(text).toContain(`since ${since}`);
    const current = range === 'nonsense' ? '1y' : range;
    expect(html).toContain(`href="/?range=${current}" aria-current="true"`);
  });

  it('says from when on an account is not known', async () => {
    expect((await person.get('/?range=all')).text).toContain('The history of 1 account begins later than this range.');
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
