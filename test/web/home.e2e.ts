import { randomUUID } from 'node:crypto';
import { ApiKeysService } from '../../src/auth/api-keys.service.js';
import { startTestApp, type TestApp, TestClient } from '../support/app.js';
import { chartIn } from '../support/chart-data.js';
import { balance, createConnection, snapshotAccount, transaction, writeSnapshot } from '../support/factories.js';
import { Visitor } from '../../src/kit/visitor.js';

describe('overview page', () => {
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

  /** Somebody else, with a connection. */
  async function meet(email: string) {
    const visitor = new Visitor(test.url);
    await visitor.signUp(email);
    const [user]: { id: string }[] = await test.em().execute('select id from users where email = ?', [email]);
    const connection = await createConnection(test, user!.id);
    return { visitor, write: (more: object) => writeSnapshot(test, connection, snapshotAccount(more)) };
  }

  it('the overview sums assets and debts in each currency separately', async () => {
    const { text } = await person.get('/');
    expect(text).toContain(
      '$900.00 Assets $1,200.00 Debts −$300.00 without Points (no balance yet) −$25.00 (−2.0%) since',
    );
    expect(text).toMatch(/USD \$900\.00 −\$25\.00 EUR €50\.00/);
    expect((await person.get('/?currency=EUR')).text).toMatch(
      /€50\.00 without Points \(no balance yet\) .*in 1 account/,
    );
  });

  it('the overview shows every account in its group with its balance, its change and its share', async () => {
    const { text, html } = await person.get('/');
    expect(text).toMatch(
      /Cash 2 \$1,200\.00 €50\.00 Everyday Test bank \$1,200\.00 −\$25\.00 Reisekasse Test bank €50\.00/,
    );
    expect(text).toMatch(/Credit cards 1 −\$300\.00 Visa Test bank −\$300\.00 −\$300\.00/);
    expect(text).toMatch(/Type not known yet 1 Points Test bank No balance yet/);
    expect(text).toContain('Connect a bank Add an account by hand Import a file');
    expect(html).toContain(`href="/accounts/${checkingId}?range=1y">Everyday`);
  });

  it('the tab of a currency without a sign of its own says its code once', async () => {
    const { visitor, write } = await meet('francs@example.com');
    await write({ name: 'Konto', currency: 'CHF', balance: balance(2_500) });
    await write({ name: 'Daily', balance: balance(500) });
    expect((await visitor.get('/')).text).toMatch(/ as of today CHF\s25\.00 USD \$5\.00 /);
  });

  it('the overview says of what the share of an account is', async () => {
    const { visitor, write } = await meet('shares@example.com');
    await write({ name: 'Daily', balance: balance(25_000) });
    await write({ name: 'Savings', balance: balance(75_000) });
    await write({ name: 'Visa', balance: balance(-1_000), suggestedType: 'credit_card' });
    await write({ name: 'Car', balance: balance(-3_000), suggestedType: 'loan' });
    const { text } = await visitor.get('/');
    expect(text).toContain('Daily Test bank $250.00 25% of assets Savings Test bank $750.00 75% of assets');
    expect(text).toMatch(/Visa Test bank −\$10\.00 25% of debts .*Car Test bank −\$30\.00 75% of debts/);
    await write({ name: 'Reise', currency: 'EUR', balance: balance(5_000) });
    expect((await visitor.get('/')).text).toContain('Daily Test bank $250.00 25% of USD assets Reise Test bank €50.00');
  });

  const BRIDGED =
    'since 1 Jun 2025 in 1 of 2 accounts The line: $1,200.00. Not in it: Visa, known since 1 Feb 2026, −$300.00.';
  it.each([
    ['30d', '−$25.00 (−2.7%) since 13 Feb 2026 in 2 accounts'],
    ['1y', BRIDGED],
    ['nonsense', BRIDGED],
    ['month', '−$25.00 (−2.7%) since 28 Feb 2026 in 2 accounts'],
    ['year', '−$25.00 (−2.7%) since 1 Feb 2026 in 2 accounts'],
  ])('the change of the range %s is “%s”, that of the accounts known over it', async (range, change) => {
    const { text, html } = await person.get(`/?range=${range}`);
    expect(text).toContain(change);
    const current = range === 'nonsense' ? '1y' : range;
    expect(html).toContain(`href="/?range=${current}&amp;currency=USD" aria-current="true"`);
  });

  it('the overview shows what changed from one day to another, in whichever order they are chosen', async () => {
    for (const query of ['from=2026-02-20&to=2026-03-05', 'to=2026-02-20&from=2026-03-05&range=nonsense']) {
      const { text, html } = await person.get(`/?${query}`);
      expect(text).toContain('−$25.00 (−2.7%) from 20 Feb 2026 to 5 Mar 2026 in 2 accounts');
      expect(text).toMatch(/19 Feb 2026 \$925\.00 Money in \$0\.00 Money out −\$25\.00 .*5 Mar 2026 \$900\.00/);
      const { first, values } = chartIn(html);
      expect([first, values.length]).toEqual(['2026-02-19', 15]);
      expect(text).toContain('20 Feb 2026 – 5 Mar 2026');
      expect(html).toContain('href="/?from=2026-02-20&amp;to=2026-03-05&amp;currency=EUR"');
      // In “What moved most” and in the list of the accounts.
      expect(html.split(`href="/accounts/${checkingId}?from=2026-02-20&amp;to=2026-03-05">Everyday`)).toHaveLength(3);
    }
    expect((await person.get('/?from=2026-03-01&to=2031-01-01')).text).toContain('since 28 Feb 2026 in 2 accounts');
    expect((await person.get('/?from=0001-01-01&to=0001-01-01')).text).toContain('1 Jan 1 – 1 Jan 1');
  });

  it('the overview of days that are over says the net worth of the last one, as its chart and that day do', async () => {
    const { visitor, write } = await meet('past@example.com');
    const moves = [
      transaction('2025-12-01', 10_000),
      transaction('2026-01-20', -2_500),
      transaction('2026-03-01', 400),
    ];
    await write({ name: 'Daily', balance: balance(50_000), transactions: moves });
    await write({ name: 'Savings', balance: balance(7_000), transactions: [transaction('2026-01-10', 1_000)] });
    await write({ name: 'New', balance: balance(90_000), transactions: [transaction('2026-02-10', 90_000)] });
    const pending = transaction('2026-03-15', -1_000, { pending: true });
    const spent = [transaction('2026-01-22', -300), pending];
    await write({ name: 'Visa', balance: balance(-600), suggestedType: 'credit_card', transactions: spent });
    const { text, html } = await visitor.get('/?from=2026-01-25&to=2026-02-01');
    expect(text).toContain(
      '$560.00 Assets $566.00 Debts −$6.00 on 1 Feb 2026, today $1,464.00 without New (known since 10 Feb 2026)',
    );
    expect(chartIn(html).values.at(-1)).toBe(56_000);
    expect(text).not.toContain('once posted');
    expect(text).toContain('as they are today, each with its change within the chosen days');
    expect((await visitor.get('/days?day=2026-02-01')).text).toContain('$560.00');
    const since = await visitor.get('/?from=2025-12-20&to=2026-02-01');
    expect(since.text).toContain('$560.00 Assets $566.00 Debts −$6.00 on 1 Feb 2026');
    expect(since.text).toMatch(
      /in 1 of 3 accounts The line: \$496\.00\. Not in it: Savings, known since 10 Jan 2026, \$70\.00/,
    );
    expect((await visitor.get('/?from=2020-01-01&to=2020-02-01')).text).toContain(
      'Not known yet on 1 Feb 2020, today $1,464.00',
    );
    expect((await visitor.get('/?from=2026-02-01&to=2026-03-15')).text).not.toContain('on 15 Mar 2026');
  });

  it('the overview says why the net worth changed, and what moved most', async () => {
    const { text, html } = await person.get('/?range=30d');
    expect(text).toMatch(
      /Why it changed .*13 Feb 2026 \$925\.00 Money in \$0\.00 Money out −\$25\.00 Market \$0\.00 Unexplained \$0\.00 Today \$900\.00/,
    );
    expect(text).toContain('What moved most Everyday −$25.00 Visa $0.00');
    // A fortieth of the bars could not be seen, so that both totals are cut, with a sign.
    expect(html.match(/<path d="M4 12l3-14"/g)).toHaveLength(2);
  });

  it('the overview draws the net worth of the API for the accounts known over the whole range', async () => {
    const chartOf = async (currency: string) => chartIn((await person.get(`/?range=all&currency=${currency}`)).html);
    const [usd, eur] = [await chartOf('USD'), await chartOf('EUR')];
    expect([usd, eur].map(({ currency, first }) => [currency, first])).toEqual([
      ['USD', '2025-06-01'],
      ['EUR', '2026-03-10'],
    ]);
    const served = async (query: string) => {
      const { body } = await client.get(`/api/v1/net_worth?${query}`);
      return body.net_worth.map((point: { net_worth_cents: number }) => point.net_worth_cents);
    };
    expect(usd.values).toEqual(await served(`currency=USD&account_id=${checkingId}`));
    expect(eur.values).toEqual(await served('currency=EUR'));
  });

  it('the overview says what the net worth of today does not include', async () => {
    const { text } = await person.get('/');
    expect(text).toContain('$900.00 Assets $1,200.00 Debts −$300.00 without Points (no balance yet)');
  });

  it('the overview and the day of a reported balance say what is pending', async () => {
    const { visitor, write } = await meet('pending@example.com');
    const pending = [-1_000, -105].map((minor) => transaction('2026-03-15', minor, { pending: true }));
    await write({
      name: 'Daily',
      balance: balance(40_000),
      transactions: [transaction('2026-03-02', 500), ...pending],
    });
    const { text, html } = await visitor.get('/');
    expect(text).toContain('2 pending, −$11.05: $388.95 once posted, if not yet included');
    const [id] = /[\w-]{36}(?=[^"]*">Daily)/.exec(html)!;
    const reported = 'Reported by the bank. May include the 2 pending transactions (−$11.05).';
    const day = async (date: string) => (await visitor.get(`/accounts/${id}/day?day=${date}`)).text;
    expect(await day('2026-03-15')).toContain(reported);
    expect(await day('2026-03-14')).toContain(
      'Estimated: what the bank has reported so far fits more than one balance',
    );
  });

  it('“2 pending” of the overview leads to a list of exactly these two', async () => {
    const { visitor, write } = await meet('pending-list@example.com');
    const hold = (name: string, minor: number, more = {}) =>
      transaction('2026-03-14', minor, { description: name, pending: true, ...more });
    const held = [hold('Kiosk', -1_000), hold('Lunch', -105), hold('Ignored', -700)];
    await write({ name: 'Daily', balance: balance(40_000), transactions: held });
    const reise = { name: 'Reise', currency: 'EUR', balance: balance(5_000) };
    await write({ ...reise, transactions: [hold('Strand', -900, { currency: 'EUR' })] });
    await write({ name: 'Apart', balance: balance(800), transactions: [hold('Uncounted', -800)] });
    await test.em().execute(`update accounts set include_in_net_worth = false where name = 'Apart'`);
    await test.em().execute(`update transactions set excluded = true where description = 'Ignored'`);
    const { text, html } = await visitor.get('/?currency=USD');
    expect(text).toContain('2 pending, −$11.05');
    const href = /href="([^"]+)">2 pending/.exec(html)![1]!.replaceAll('&amp;', '&');
    const list = await visitor.get(href);
    expect(list.text).toContain('Accounts that count in your net worth, in USD');
    expect(list.text).toMatch(
      /2 transactions found .*2 transactions, −\$11\.05 in total.* (Kiosk.*Lunch|Lunch.*Kiosk)/,
    );
    expect(list.text).not.toMatch(/Strand|Uncounted|Ignored/);
    // A search within them stays within them.
    const searched = await visitor.get(href.replace('?', '/transactions?search=k&'));
    expect(searched.text).toContain('1 transaction found');
    expect(searched.headers.get('hx-replace-url')).toContain('counted=true&currency=USD');
  });

  it('a day over all accounts shows their balances, what changed since the day before and its transactions', async () => {
    const { visitor, write } = await meet('days@example.com');
    const salary = transaction('2026-03-10', 100_000, { description: 'PAYROLL' });
    const rent = transaction('2026-03-12', -60_000, { description: 'RENT' });
    const saved = [transaction('2026-03-12', -10_000), transaction('2026-03-12', 10_000)];
    await write({ name: 'Daily', balance: balance(40_000), transactions: [salary, rent, saved[0]!] });
    await write({
      name: 'Savings',
      balance: balance(60_000),
      transactions: [transaction('2026-03-11', 50_000), saved[1]!],
    });
    await write({
      ...{ name: 'Reise', currency: 'EUR', balance: balance(5_000) },
      transactions: [transaction('2026-03-12', 5_000, { currency: 'EUR' })],
    });
    const { text, html } = await visitor.get('/days?day=2026-03-12');
    expect(text).toMatch(
      /\$1,000\.00 −\$600\.00 since the day before .*Daily Estimated, or −\$200\.00 −\$700\.00 \$400\.00 Savings .* \+\$100\.00 \$600\.00/,
    );
    expect(text).toContain('Both balances are estimated: $400.00 to $1,100.00.');
    expect(text).toContain('The balance is estimated: €50.00 to €100.00.');
    expect(text).toMatch(/11 Mar 2026 \$1,600\.00 Money in \$0\.00 Money out −\$600\.00 .* 12 Mar 2026 \$1,000\.00/);
    expect(text).toMatch(/€50\.00 .*Reise .* New €50\.00/);
    // Nothing is cut, so that the bars are as long as what they stand for.
    expect(html).not.toContain('<path d="M4 12l3-14"');
    expect(
      [...html.matchAll(/<rect class[^>]*height="10" rx="1" x="([\d.]+)" width="([\d.]+)"/g)].map(([, x, w]) => [x, w]),
    ).toEqual([
      ['0', '100'],
      ['100', '0'],
      ['62.5', '37.5'],
      ['62.5', '0'],
      ['62.5', '0'],
      ['0', '62.5'],
    ]);
    expect(text).toMatch(/4 transactions found .*RENT/);
    expect(html).toContain('href="/days?day=2026-03-11"');
    expect((await visitor.get('/days?day=2026-03-09')).text).toContain('No account has a balance of this day.');
    expect((await visitor.get('/?from=2026-01-01&to=2026-01-05')).text).toContain('USD not known EUR not known');
    await write({ name: 'Fresh', balance: balance(1_000), transactions: [] });
    const today = await visitor.get('/days?day=2026-03-15');
    expect(today.text).toContain('$1,010.00 $0.00 since the day before in 2 of 3 accounts All 3 balances are known.');
    const mixed = await visitor.get('/days?day=2026-03-11');
    expect(mixed.text).toMatch(/and \$500\.00 in accounts that are not known the day before: \$1,600\.00/);
    expect((await visitor.get('/days?day=2026-03-12')).text).toContain(
      '$1,000.00 without Fresh (known since 15 Mar 2026) −$600.00 since',
    );
    expect((await visitor.get('/days?day=2026-03-10')).text).toContain('without Reise (known since 12 Mar 2026)');
    await write({ name: 'Left out', balance: balance(0), transactions: [transaction('2026-03-12', 700)] });
    const [id] = /[\w-]{36}(?=[^"]*">Left out)/.exec((await visitor.get('/')).html)!;
    await visitor.submit(`/accounts/${id}/life`, { include_in_net_worth: '' }, `/accounts/${id}`);
    // Neither its balance nor its transactions are of this page.
    expect((await visitor.get('/days?day=2026-03-12')).text).toContain('4 transactions found');
    expect((await visitor.get('/')).html).toContain('action="/days"');
    for (const other of ['', '?day=2026-02-30', '?day=2026-12-01'])
      expect((await visitor.get(`/days${other}`)).headers.get('location')).toBe('/days?day=2026-03-15');
  });

  it('a day over all accounts and the page of a debt name the same other balance', async () => {
    const { visitor, write } = await meet('debt@example.com');
    const spent = transaction('2026-03-12', -5_000);
    const { accountId } = await write({
      ...{ name: 'Visa', balance: balance(-30_000), suggestedType: 'credit_card', transactions: [spent] },
    });
    const { text: ofAccount } = await visitor.get(`/accounts/${accountId}?day=2026-03-12`);
    const other = /The other one is (\$\d+\.\d\d)/.exec(ofAccount)![1]!;
    const { text } = await visitor.get('/days?day=2026-03-12');
    expect(text).toContain(`Visa Estimated, or −${other} `);
    expect(text).toContain(`The balance is estimated: −${other} to −$300.00.`);
  });

  it('the chart can ask for the largest transaction of each day, of an account or of those in its line', async () => {
    const { visitor, write } = await meet('largest@example.com');
    const booked = [
      transaction('2026-03-10', -5_000, { description: 'Kiosk' }),
      transaction('2026-03-10', -60_000, { description: 'RENT', merchant: 'Maple Court' }),
      transaction('2026-03-14', -70_000, { description: 'On hold', pending: true }),
    ];
    const { accountId } = await write({ name: 'Daily', balance: balance(40_000), transactions: booked });
    await write({ name: 'Savings', balance: balance(40_000), transactions: [transaction('2026-03-10', 90_000)] });
    const largest = async (rest: string) => {
      const { html, headers } = await visitor.get(`/days/largest?currency=USD&from=2026-03-10&to=2026-03-15${rest}`);
      expect(headers.get('cache-control')).toBe('no-store');
      return JSON.parse(html) as unknown;
    };
    expect(await largest(`&account=${accountId}`)).toEqual([
      { day: '2026-03-10', name: 'Maple Court', minor: -60_000 },
    ]);
    expect(await largest('')).toMatchObject([{ day: '2026-03-10', minor: 90_000 }]);
    expect(await largest('&currency=EUR')).toEqual([]);
    expect(await largest('&account=other')).toEqual([]);
    expect((await visitor.get('/')).html).toMatch(
      /data-href="\/days\/largest\?currency=USD&amp;from=2026-03-10&amp;to=2026-03-15"/,
    );
  });

  it('the chart of the overview names no transaction of an account that is not in its line', async () => {
    const { visitor, write } = await meet('sale@example.com');
    const rent = transaction('2026-03-10', -60_000, { description: 'Rent' });
    await write({ name: 'Daily', balance: balance(40_000), transactions: [transaction('2026-03-01', 100), rent] });
    const sale = transaction('2026-03-10', 900_000, { description: 'Sale' });
    const holdings = { status: 'available' as const, total: null, items: [] };
    await write({
      ...{ name: 'Broker', suggestedType: 'investment', holdings, balance: balance(900_000) },
      transactions: [sale],
    });
    const { text, html } = await visitor.get('/');
    expect(text).toContain('Not in it: Broker, known since 15 Mar 2026');
    const [, href] = /data-href="(\/days\/largest[^"]*)"/.exec(html)!;
    expect(href).toContain('from=2026-03-01&amp;to=2026-03-15');
    const { html: largest } = await visitor.get(href!.replaceAll('&amp;', '&'));
    expect(JSON.parse(largest)).toEqual([
      { day: '2026-03-10', name: 'Rent', minor: -60_000 },
      { day: '2026-03-01', name: 'Shop', minor: 100 },
    ]);
  });

  it('the overview counts accounts without a type until a page has asked for all of them', async () => {
    const { text: asked, html: home } = await person.get('/');
    expect(asked).toContain('1 account has no type yet, and counts as cash. Review');
    expect(home).toContain('href="/account-types"');
    const { html } = await person.get('/account-types');
    const [field = ''] = /type-[\w-]+/.exec(html) ?? [];
    const types = { [field]: 'property', 'type-nonsense': '' };
    const answer = await person.submit('/account-types', types, '/account-types');
    expect(answer.headers.get('location')).toBe('/');
    const { text } = await person.get('/');
    expect(text).toMatch(/Property and other 1 Points/);
    expect(text).not.toMatch(/Type not known yet|no type/);
    expect((await person.get('/account-types')).text).toContain('Every account has a type.');
  });

  it('the review of types has a guess by name and balance for each account', async () => {
    const { visitor, write } = await meet('untyped@example.com');
    const untyped = { suggestedType: null };
    await write({ ...untyped, name: 'Everyday', balance: balance(1_000) });
    await write({ ...untyped, name: 'Line 7', balance: { ...balance(-1_000), availableMinor: 4_000 } });
    await write({ ...untyped, name: 'Advance', balance: balance(-1_000) });
    await write({ ...untyped, name: 'Nothing' });
    await write({ ...untyped, name: 'Teachers pension', balance: balance(1_000) });
    const offered = [...(await visitor.get('/account-types')).html.matchAll(/Type of ([^"]+)".*?<\/select>/g)].map(
      ([select, name]) => [name, /value="(\w*)" selected/.exec(select)?.[1]],
    );
    expect(Object.fromEntries(offered)).toEqual({
      Everyday: 'depository',
      'Line 7': 'credit_card',
      Advance: 'loan',
      Nothing: undefined,
      'Teachers pension': 'investment',
    });
  });

  it.each([
    ['types', 'account-types', 1_000, (id: string) => [`type-${id}`, '']],
    ['merges', 'account-merges', 400, (id: string) => ['pair', `${id} ${id}`]],
  ])('the overview takes the %s of many accounts in one form', async (_, path, count, fieldOf) => {
    const fields: Record<string, string[]> = {};
    for (let n = 0; n < count; n++) {
      const [name, value] = fieldOf(randomUUID()) as [string, string];
      (fields[name] ??= []).push(value);
    }
    expect((await person.submit(`/${path}`, { ...fields, then: 'home' }, '/')).headers.get('location')).toBe('/');
  });

  it('the overview collapses closed and hidden accounts and adds them to no group', async () => {
    const life = (fields: Record<string, string>) =>
      person.submit(
        `/accounts/${checkingId}/life`,
        { include_in_net_worth: 'on', ...fields },
        `/accounts/${checkingId}`,
      );
    expect((await life({ hidden: 'on' })).status).toBe(303);
    expect((await person.get('/')).text).toMatch(/Closed and hidden 1 \$1,200\.00 Everyday/);
    expect((await person.get('/')).text).toContain('$900.00');
    await life({ include_in_net_worth: '' });
    const { text } = await person.get('/?currency=USD');
    expect(text).toMatch(/Everyday Test bank Not in net worth/);
    expect(text).toContain('Not included: Everyday (left out by you)');
    await life({});
  });

  it('the page of an account says why it cannot be closed on a day', async () => {
    const path = `/accounts/${checkingId}`;
    const close = async (day: string) =>
      person.submit(`${path}/life`, { include_in_net_worth: 'on', closed_on: day }, path);
    expect((await close('2030-01-01')).text).toContain('Choose today or an earlier day.');
    const refused = await close('2020-01-01');
    expect(refused.text).toContain('Choose 1 Jun 2025 or a later day: the history begins then.');
    expect(refused.html).toContain('value="2020-01-01"');
    expect(refused.text).not.toContain('Closed on 1 Jan 2020');
    expect((await close('2026-03-02')).status).toBe(303);
    expect((await person.get(path)).text).toContain('Closed on 2 Mar 2026. Its last balance was $1,200.00');
    // It is part of what was, and not of today's sum.
    expect((await person.get('/?currency=USD')).text).toContain('−$300.00 without Points (no balance yet)');
    await close('');
    expect((await person.get(path)).text).not.toContain('Closed on 2 Mar');
  });

  it('the overview counts an account that begins later neither as zero before nor as a gain', async () => {
    const { visitor, write } = await meet('long@example.com');
    await write({ name: 'Old', balance: balance(90_000), transactions: [transaction('2019-05-07', 90_000)] });
    await write({ name: 'New', balance: balance(5_000), transactions: [transaction('2026-02-03', 5_000)] });
    for (const [range, from] of [
      ['1y', '15 Mar 2025'],
      ['all', '7 May 2019'],
    ]) {
      const { text, html } = await visitor.get(`/?range=${range}`);
      expect(text).toContain(
        `$950.00 $0.00 (0.0%) since ${from} in 1 of 2 accounts The line: $900.00. Not in it: New, known since 3 Feb 2026, $50.00.`,
      );
      expect(text).toMatch(
        /Why it changed in 1 of 2 accounts .* Today \$900\.00 and \$50\.00 not in the line: \$950\.00/,
      );
      expect(new Set(chartIn(html).values)).toEqual(new Set([90_000]));
    }
  });

  it('the overview says how much of money out went to, and of money in came from, accounts that are not in its line', async () => {
    const { visitor, write } = await meet('saver@example.com');
    const paid = [
      transaction('2026-01-10', 90_000),
      transaction('2026-02-10', -60_000),
      transaction('2026-03-02', -7_000),
      transaction('2026-03-05', 2_500),
      transaction('2026-03-10', -4_000),
    ];
    await write({ name: 'Daily', balance: balance(40_000), transactions: paid });
    await write({
      ...{ name: 'Savings', balance: balance(95_000) },
      transactions: [transaction('2026-01-10', 1_000), transaction('2026-03-11', 4_000)],
    });
    const invested = [
      transaction('2026-02-12', 60_000),
      transaction('2026-03-05', -2_500),
      // That of the savings is a day further away, but is in the line.
      transaction('2026-03-10', 4_000),
    ];
    const holdings = { status: 'available' as const, total: null, items: [] };
    const broker = { name: 'Broker', suggestedType: 'investment' as const, holdings, balance: balance(61_500) };
    await write({ ...broker, transactions: invested });
    const said =
      'Transfers between your own accounts cancel out: $40.00 $600.00 of money out went to your accounts that are not in the line $25.00 of money in came from your accounts that are not in the line';
    const { text } = await visitor.get('/?range=year');
    expect(text).toContain('Money in +$25.00 Money out −$670.00');
    expect(text).toContain(said);
    // Nor is it known on the days of a range that is over.
    expect((await visitor.get('/?from=2026-01-11&to=2026-03-12')).text).toContain(said);
  });

  it('the overview explains no dashed line before there is a chart', async () => {
    const { visitor, write } = await meet('today@example.com');
    await write({ name: 'New', balance: balance(100), transactions: [transaction('2026-03-15', 100)] });
    const { text } = await visitor.get('/');
    expect(text).toContain('$1.00 in 1 account');
    expect(text).not.toContain('these days');
  });

  it('the overview marks only the account that is a possible duplicate', async () => {
    const { visitor, write } = await meet('twice@example.com');
    await write({ name: 'Daily', balance: balance(40_000) });
    await test.em().execute(`update accounts set connection_id = null where name = 'Daily'`);
    test.clock.set('2026-03-15T13:00:00Z');
    await write({ name: 'Daily', balance: balance(40_000), externalId: 'again' });
    const { text } = await visitor.get('/');
    expect(text).toMatch(/Cash 2 \$400\.00 Daily/);
    expect(text.match(/May be listed twice/g)).toHaveLength(1);
    expect(text).toContain('“Daily” at Test bank is disconnected, and a new account with the same name looks like it.');
    expect(text).not.toContain('Disconnected');
  });

  it('accounts of one name are told apart by their banks where the overview says what it lacks', async () => {
    const { visitor, write } = await meet('apart@example.com');
    for (const institution of ['North bank', 'South bank'])
      await write({ name: 'Joint', institution, balance: balance(4_000) });
    await write({ name: 'Own', balance: balance(700) });
    await test.em().execute(`update accounts set include_in_net_worth = false where name in ('Joint', 'Own')`);
    await write({ name: 'Daily', balance: balance(100) });
    expect((await visitor.get('/')).text).toContain(
      'Not included: Joint at North bank (left out by you), Joint at South bank (left out by you), Own (left out by you).',
    );
  });

  it('the overview says of days that are estimated where their doubt is too small to be drawn', async () => {
    const { visitor, write } = await meet('small-doubt@example.com');
    const salary = transaction('2025-09-01', 900_000);
    const held = transaction('2026-03-14', -500, { pending: true });
    await write({
      name: 'Daily',
      balance: balance(1_000_000),
      transactions: [transaction('2025-06-01', 100), salary, held],
    });
    const { text, html } = await visitor.get('/?range=1y');
    expect(html).not.toContain('class="band"');
    expect(text).toMatch(/fits more than one sum for \d+ of these days, by up to \$5\.00\./);
    expect(html).not.toContain('class="chart-note quiet small key"');
  });

  it('possible duplicates of one name are told apart by their banks', async () => {
    const { visitor, write } = await meet('namesakes@example.com');
    const banks = ['North bank', 'South bank'];
    for (const institution of banks) await write({ name: 'Joint', institution, balance: balance(40_000) });
    await test.em().execute(`update accounts set connection_id = null where name = 'Joint'`);
    test.clock.set('2026-03-15T13:30:00Z');
    for (const institution of banks) await write({ name: 'Joint', institution, balance: balance(40_000) });
    const { text, html } = await visitor.get('/');
    for (const bank of banks) expect(text).toContain(`Joint ${bank} Merge Merge permanently Keep separate`);
    expect(html).toMatch(/<a href="\/accounts\/[\w-]{36}">Joint<\/a>/);
  });

  it('the overview says so if no account counts in net worth', async () => {
    const { visitor, write } = await meet('points@example.com');
    await write({ name: 'Points', currency: null, suggestedType: null });
    const { text, html } = await visitor.get('/');
    expect(text).toContain('No account has a balance that counts in net worth yet.');
    expect(html).not.toContain('aria-label="Range"');
  });

  it('the overview counts no loss from an account that is no longer synced, and says with the figure what is missing', async () => {
    test.clock.set('2026-03-20T12:00:00Z');
    const { visitor, write } = await meet('stopped@example.com');
    const daily = { name: 'Daily', externalId: 'daily', balance: balance(40_000) };
    const transactions = [transaction('2026-03-02', 40_000)];
    await write({ ...daily, transactions });
    const brokerage = { name: 'Brokerage', externalId: 'brokerage', balance: balance(5_000_000) };
    await write({ ...brokerage, transactions: [transaction('2026-03-02', 5_000_000)] });
    await test.em().execute(`update accounts set connection_id = null where name = 'Brokerage'`);
    test.clock.set('2026-03-25T12:00:00Z');
    await write({ ...daily, transactions });
    const { text, html } = await visitor.get('/?range=all');
    expect(text).toContain(
      '$400.00 without Brokerage (not synced since 20 Mar 2026) $0.00 (0.0%) since 2 Mar 2026 in 1 account',
    );
    const [brokerageId] = /[\w-]{36}(?=[^"]*">Brokerage)/.exec(html)!;
    const closed = { include_in_net_worth: 'on', closed_on: '2026-03-20' };
    await visitor.submit(`/accounts/${brokerageId}/life`, closed, `/accounts/${brokerageId}`);
    const { text: closedText } = await visitor.get('/?range=all');
    expect(closedText).toContain('$400.00 −$50,000.00 (−99.2%) since 2 Mar 2026 in 1 account');
    expect(closedText).not.toContain('without');
  });

  it('the overview counts an account that was in another currency meanwhile from the day it is back', async () => {
    test.clock.set('2026-04-22T11:00:00Z');
    const { visitor, write } = await meet('switched@example.com');
    for (const [day, currency, minor] of [
      ['2026-03-10', 'USD', 10_000],
      ['2026-03-11', 'EUR', 9_000],
      ['2026-04-20', 'EUR', 9_000],
      ['2026-04-21', 'USD', 11_000],
      ['2026-04-22', 'USD', 12_500],
    ] as const) {
      test.clock.set(`${day}T12:00:00Z`);
      await write({ name: 'Mover', externalId: 'mover', currency, balance: balance(minor) });
    }
    expect((await visitor.get('/?range=all')).text).toContain(
      '$125.00 +$15.00 (+13.6%) since 21 Apr 2026 in 1 account',
    );
    // On a day between it has no balance in dollars.
    await write({ name: 'Stayer', balance: balance(500), transactions: [transaction('2026-03-01', 500)] });
    expect((await visitor.get('/days?day=2026-04-02')).text).toMatch(/\$5\.00 \$0\.00 since the day before/);
    // By how much is not known of the days before a first report.
    expect((await visitor.get('/?from=2026-04-01&to=2026-04-10')).text).toContain(
      'fits more than one sum for 11 of these days.',
    );
  });

  it('the overview draws days dashed on which no bank reported anything, and a band where the sum is in doubt', async () => {
    test.clock.set('2026-05-01T12:00:00Z');
    const { visitor, write } = await meet('stale@example.com');
    await write({ name: 'Stale', balance: balance(10_000), transactions: [transaction('2026-04-28', 10_000)] });
    // A first balance leaves the days before it open, which is doubt and no lack of reports.
    const before = await visitor.get('/?range=all');
    expect(before.html).not.toContain('class="dashed"');
    expect(before.html.match(/class="band"/g)).toHaveLength(1);
    expect(before.text).toContain('fits more than one sum for 3 of these days, by up to $100.00.');
    test.clock.set('2026-05-03T12:00:00Z');
    const { text, html } = await visitor.get('/?range=all');
    expect(html.match(/<polyline class="dashed"/g)).toHaveLength(1);
    expect(text).toContain('Nothing was reported for these days.');
  });

  it('the overview shows the newest transactions, and what came since the last visit, which ends half an hour after a look', async () => {
    test.clock.set('2026-05-10T09:00:00Z');
    const { visitor, write } = await meet('visitor@example.com');
    const daily = { name: 'Daily', externalId: 'daily-visit', balance: balance(40_000) };
    const known = transaction('2026-05-09', -500);
    await write({ ...daily, transactions: [known] });
    const first = await visitor.get('/');
    expect(first.text).toMatch(/Newest transactions All transactions .* 9 May 2026 · Daily −\$5\.00/);
    expect(first.text).not.toMatch(/last visit|new transaction|nothing new/);

    test.clock.set('2026-05-12T09:00:00Z');
    const rent = transaction('2026-05-11', -9_500, { description: 'Rent' });
    const lunch = transaction('2026-05-10', -1_250, { description: 'Lunch', pending: true });
    const history = transaction('2026-02-01', 100, { description: 'Old' });
    await write({ ...daily, balance: balance(30_500), transactions: [known, rent, lunch, history] });
    const came = '2 new transactions since 10 May 2026, 11:00';
    const sinceVisit = '?from=2026-05-10&amp;to=2026-05-12&amp;currency=USD"';
    for (const time of ['09:00', '09:20', '09:45']) {
      test.clock.set(`2026-05-12T${time}:00Z`);
      const { text, html } = await visitor.get('/');
      expect(text).toContain(
        `${came} · All since 10 May 2026 Lunch Pending 10 May 2026 · Daily −$12.50 Rent 11 May 2026 · Daily −$95.00`,
      );
      expect(html).toContain(`href="/${sinceVisit}>Since last visit`);
      expect(html).toContain('href="/transactions?from=2026-05-10">All since');
    }
    const { text, html } = await visitor.get('/?from=2026-05-10&to=2026-05-12');
    expect(html).toContain(`${sinceVisit} aria-current="true">Since last visit`);
    expect(text).toContain('−$95.00 (−23.8%) since 9 May 2026 in 1 account');

    test.clock.set('2026-05-12T10:30:00Z');
    const next = await visitor.get('/');
    expect(next.html).toContain('href="/?from=2026-05-12&amp;to=2026-05-12&amp;currency=USD">Since last visit');
    expect(next.text).toContain(
      'Newest transactions nothing new since 12 May 2026, 11:45 · All transactions Lunch Pending 10 May 2026',
    );
  });

  it('of an account connected after the last visit only what is of the day of that visit or later is new', async () => {
    test.clock.set('2026-06-10T09:00:00Z');
    const { visitor, write } = await meet('grown@example.com');
    await write({ name: 'Daily', balance: balance(40_000), transactions: [transaction('2026-06-09', -500)] });
    await visitor.get('/');
    test.clock.set('2026-06-12T09:00:00Z');
    const listed = [transaction('2026-06-09', -100), transaction('2026-06-10', -200), transaction('2026-06-11', -300)];
    await write({ name: 'Second', balance: balance(40_000), transactions: listed });
    expect((await visitor.get('/')).text).toMatch(
      /2 new transactions .* 11 Jun 2026 · Second −\$3\.00 .* 10 Jun 2026 · Second −\$2\.00 Cash/,
    );
  });

  it('the overview is empty for another user', async () => {
    const stranger = new Visitor(test.url);
    await stranger.signUp('bert@example.com');
    const { text } = await stranger.get('/');
    expect(text).toContain('Connect your first bank');
    expect(text).toContain('Add an account by hand Import a file');
    expect(text).not.toContain('Everyday');
    expect((await stranger.get(`/accounts/${checkingId}`)).status).toBe(404);
    expect((await stranger.get(`/accounts/${checkingId}/reconciliation`)).status).toBe(404);
  });
});
