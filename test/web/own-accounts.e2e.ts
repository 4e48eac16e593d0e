import { startTestApp, type TestApp } from '../support/app.js';
import { chartIn } from '../support/chart-data.js';
import { balance, createConnection, snapshotAccount, transaction, writeSnapshot } from '../support/factories.js';
import { Visitor } from '../../src/kit/visitor.js';

const HOUSE = {
  ...{ name: 'Our house', account_type: 'property', currency: 'eur', value: '410,000', date: '2026-03-01' },
  include_in_net_worth: 'on',
};

describe('pages of accounts by hand and of stated balances', () => {
  let test: TestApp;
  let person: Visitor;
  let checking: string;

  beforeAll(async () => {
    test = await startTestApp({ SIGN_UP: 'open' });
    person = new Visitor(test.url);
    await person.signUp();
    const [user]: { id: string }[] = await test.em().execute('select id from users');
    const connection = await createConnection(test, user!.id);
    const transactions = [transaction('2026-03-10', -1_200), transaction('2026-03-12', -400)];
    const snapshot = snapshotAccount({ name: 'Everyday', balance: balance(10_000), transactions });
    checking = (await writeSnapshot(test, connection, snapshot)).accountId;
  });
  afterAll(() => test.stop());

  const add = (more: object = {}) => person.submit('/accounts/new', { ...HOUSE, ...more });
  const added = async (more: object = {}) => (await add(more)).headers.get('location')!;
  const part = async (page: string) => (await person.get(`${page}/statements`, { 'hx-request': 'true' })).text;
  const state = (page: string, date: string, amount: string) =>
    person.submit(`${page}/statements`, { date, balance: amount });

  it('a house is added on its page, shows what it is worth and is not called disconnected anywhere', async () => {
    expect((await person.get('/connections')).text).toContain('Add an account by hand');
    const house = await added();
    const page = await person.get(house);
    expect(page.text).toMatch(/Our house By hand · Property · EUR · Edit.*? €410,000\.00 as of 1 Mar 2026/);
    expect(page.text).toContain('Value on a day');
    for (const path of [house, '/', '/connections'])
      expect((await person.get(path)).text).not.toMatch(/Disconnected|connection of this account was removed/);
    expect((await person.get('/')).text).toMatch(/Our house By hand · as of 1 Mar 2026/);
    expect((await person.get('/settings/activity')).text).toContain('Account added by hand');
  });

  it('a day after the value of a house says of which day the value is', async () => {
    const house = await added();
    expect((await person.get(`${house}/day?day=2026-03-01`)).text).not.toContain('Carried forward');
    const { text } = await person.get(`${house}/day?day=2026-03-08`);
    expect(text).toContain('Carried forward from the value of 1 Mar 2026.');
    expect(text).not.toContain('No balance is stated');
  });

  it('the days of a wallet after its value are marked alike, that of its last transaction, too', async () => {
    const wallet = await added({ name: 'Wallet', account_type: 'depository', value: '50' });
    const spent = { date: '2026-03-08', amount: '-5', description: 'Tea' };
    await person.submit(`${wallet}/add-transaction`, spent, wallet);
    const { text } = await person.get(`${wallet}/balances`);
    expect(text).toMatch(/9 Mar 2026 Not reported €45\.00 8 Mar 2026 Not reported €5\.00 €45\.00/);
    expect(text).toMatch(/ 1 Mar 2026 €50\.00/);
  });

  it('the page to add an account says beside its fields what is wrong', async () => {
    const refused = await add({ name: '', currency: 'euro', date: '2026-03-16' });
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('Enter a currency code such as')]);
    expect(refused.text).toContain('Enter a name of at most 200 characters.');
    expect(refused.text).toContain('Choose today or an earlier day.');
    expect((await add({ value: '410.000,00' })).text).toContain('Enter an amount such as 1,234.00.');
  });

  it('a debt of less than 0 is refused beside its field, and what was entered stays', async () => {
    const refused = await add({ name: 'Car loan', account_type: 'loan', value: '-5,000.00' });
    expect([refused.status, refused.text]).toEqual([
      422,
      expect.stringContaining('A debt is a positive amount: what is owed.'),
    ]);
    expect(refused.html).toMatch(/value="loan" selected/);
    expect(refused.html).toContain('value="-5,000.00"');
    expect((await add({ value: '-1' })).text).toContain('Enter 0 or more.');
    const loan = await added({ name: 'Car loan', account_type: 'loan', value: '' });
    expect((await state(loan, '2026-03-10', '-1')).text).toContain('A debt is a positive amount: what is owed.');
  });

  it('the type of an account by hand is chosen, not presumed', async () => {
    expect((await person.get('/accounts/new')).html).toMatch(/<select[^>]* name="account_type"[^>]* required/);
    expect((await add({ account_type: '' })).text).toContain('Choose what it is.');
  });

  it('an account by hand without a value says where to state one, and a house takes no transactions', async () => {
    const wallet = await added({ name: 'Purse', account_type: 'depository', value: '' });
    const page = await person.get(wallet);
    expect(page.html).toContain('<a href="#statements">Say what it was worth on any day</a>');
    expect(page.text).toContain('It counts until the bank or a file lists it');
    const house = (await person.get(await added({ name: 'Hut' }))).text;
    expect(house).not.toContain('Say what it was worth');
    expect(house).not.toContain('Add a missing transaction');
  });

  it('a value of a day is set on the page of a house and taken back', async () => {
    const house = await added({ name: 'Cabin' });
    await state(house, '2026-03-10', '420,000.00');
    expect(await part(house)).toMatch(/10 Mar 2026 €420,000\.00 Remove 1 Mar 2026 €410,000\.00 Remove/);
    const { html: drawn, text: day } = await person.get(house);
    expect(day).toMatch(/Start €410,000\.00 Value you gave \+€10,000\.00 End €420,000\.00/);
    expect(day).not.toContain('Adjustment');
    expect(chartIn(drawn).marks.map(({ text }) => text)).toEqual(['Your value €420,000.00', 'Your value €410,000.00']);
    expect((await person.get('/?range=all&currency=EUR')).text).toMatch(
      /Market €0\.00 Values you gave \+€10,000\.00 Today/,
    );
    expect((await person.get(`${house}/statements`)).text).toContain(
      'What it is worth, each from its day until the next.',
    );
    const [, id] = /statements\/([0-9a-f-]{36})\/remove/.exec((await person.get(`${house}/statements`)).html)!;
    for (const sent of ['once', 'twice']) {
      const removed = await person.submit(`${house}/statements/${id}/remove`, {}, `${house}/statements`);
      expect([sent, removed.status]).toEqual([sent, 303]);
    }
    expect(await part(house)).not.toContain('420,000');
  });

  it('a statement is compared with the bank, and the person says which of the two counts', async () => {
    const page = `/accounts/${checking}`;
    expect((await person.get(page)).text).toContain('State a balance');
    await state(page, '2026-03-11', '104');
    await state(page, '2026-03-15', '95.00');
    const list = await person.get(`${page}/statements`);
    expect(list.text).toMatch(/11 Mar 2026 \$104\.00 Agrees with the transactions\./);
    expect(list.text).toContain('Differs: the bank and its transactions say $100.00. The bank’s balance counts.');
    const [, action] = /action="([^"]+\/prevails)"/.exec(list.html)!;
    await person.submit(action!, { prevails: 'true' }, `${page}/statements`);
    expect((await person.get(`${page}/statements`)).text).toContain(
      'The statement counts. Let the bank’s balance count',
    );
    expect((await person.get(page)).text).toContain('$95.00');
    await person.submit(action!, { prevails: 'false' }, `${page}/statements`);
    const wrong = await state(page, '', '1.234,5');
    expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('Enter a date.')]);
    expect(wrong.text).toContain('Enter an amount such as 1,234.00.');
  });

  it('an account by hand that a bank lists by now becomes one with it on its page', async () => {
    const wallet = await added({ name: 'Wallet', account_type: 'depository', currency: 'usd', value: '104' });
    expect((await person.get(wallet)).text).toContain('A bank lists it now');
    const merged = await person.submit(`${wallet}/merge`, { other: checking, then: 'account' }, wallet);
    expect(merged.headers.get('location')).toBe(wallet);
    const page = (await person.get(wallet)).text;
    expect(page).toMatch(/Wallet Test bank · Cash account · USD · Edit.*? \$100\.00/);
    expect(page).not.toContain('A bank lists it now');
  });
});
