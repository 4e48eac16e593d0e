import {
  noon,
  type ScriptedUsProvider,
  startScriptedUsProvider,
  TODAY,
  wireAccount,
  wireSet,
  wireTransaction,
} from '../../../test/support/scripted-us-provider.js';
import type { BankSnapshot, SnapshotAccount } from '../bank-provider.js';
import { storedUntil } from '../../../test/support/scripted-server.js';

const KNOWN = storedUntil({ 'ACT-1': '2026-03-14', 'ACT-2': '2026-03-14', 'ACT-3': '2026-03-14' });
const OLD = { 'balance-date': noon('2026-03-10') };
const TWO_BANKS = [
  { conn_id: 'CON-1', name: 'Tidewater Bank - Rowan', org_name: 'Tidewater Bank' },
  { conn_id: 'CON-2', name: 'Meridian Brokerage' },
];

describe('partially valid responses of the US provider', () => {
  let us: ScriptedUsProvider;

  beforeEach(async () => {
    us = await startScriptedUsProvider();
  });
  afterEach(() => us.server.stop());

  function of(accounts: object[], more: object = {}): Promise<BankSnapshot> {
    us.server.play({ body: wireSet(accounts, { connections: TWO_BANKS, ...more }) });
    return us.snapshot({ covered: KNOWN });
  }

  const states = (accounts: SnapshotAccount[]) =>
    accounts.map(({ covered, balance }) => [covered.length > 0, balance !== null]);

  it('a bank that needs a login marks only its own accounts as failed', async () => {
    const errlist = [{ code: 'con.auth', msg: 'Meridian needs a new sign-in.', conn_id: 'CON-2' }];
    const old = { conn_id: 'CON-2', ...OLD };
    const { accounts, problems } = await of(
      [wireAccount(), wireAccount({ id: 'ACT-2', ...old }), wireAccount({ id: 'ACT-3', ...old })],
      { errlist },
    );
    expect(states(accounts)).toEqual([
      [true, true],
      [false, false],
      [false, false],
    ]);
    expect(problems.map(({ kind, accountExternalId }) => [kind, accountExternalId])).toEqual([
      ['account_failed', 'ACT-2'],
      ['account_failed', 'ACT-3'],
    ]);
    expect(problems[0]?.message).toMatch(/“Meridian needs a new sign-in.” Sign in to the bank again at the provider/);
  });

  it('an account of a bank that needs a login keeps a balance dated today', async () => {
    const errlist = [{ code: 'con.auth', msg: 'Sign in.', conn_id: 'CON-2' }];
    const { accounts } = await of([wireAccount({ conn_id: 'CON-2' })], { errlist });
    expect(states(accounts)).toEqual([[false, true]]);
  });

  it('a bank that needs attention marks only its own accounts as failed in protocol v1', async () => {
    const accounts = [
      wireAccount({ conn_id: undefined, org: { name: 'North Quay' }, ...OLD }),
      wireAccount({ id: 'ACT-2', conn_id: undefined, org: { name: 'Tidewater Bank' } }),
    ];
    us.server.play({ body: { errors: ['Connection to North Quay may need attention'], accounts } });
    const snapshot = await us.snapshot({ covered: KNOWN });
    expect(states(snapshot.accounts)).toEqual([
      [false, false],
      [true, true],
    ]);
    expect(snapshot.problems).toMatchObject([{ kind: 'account_failed', accountExternalId: 'ACT-1' }]);
  });

  it('an account that could not be read is not complete, and its old balance is no new report', async () => {
    const errlist = [{ code: 'act.failed', msg: 'Try later.', account_id: 'ACT-2' }];
    const { accounts, problems } = await of([wireAccount(), wireAccount({ id: 'ACT-2', ...OLD })], { errlist });
    expect(states(accounts)).toEqual([
      [true, true],
      [false, false],
    ]);
    expect(problems).toMatchObject([{ kind: 'account_failed', accountExternalId: 'ACT-2' }]);
  });

  it.each(['0.00', '-0', '12.00'])(
    'the balance %s of a failed account is used only if it is not zero',
    async (balance) => {
      const errlist = [{ code: 'act.failed', msg: 'Try later.', account_id: 'ACT-1' }];
      const { accounts, problems } = await of([wireAccount({ balance, holdings: [] })], { errlist });
      const isZero = balance !== '12.00';
      expect(states(accounts)).toEqual([[false, !isZero]]);
      expect(problems.map(({ kind }) => kind)).toEqual(['account_failed', ...(isZero ? ['data_incomplete'] : [])]);
    },
  );

  it('a zero balance is accepted if the bank needs a login but the account itself did not fail', async () => {
    const errlist = [{ code: 'con.auth', msg: 'Sign in.', conn_id: 'CON-1' }];
    expect(states((await of([wireAccount({ balance: '0.00' })], { errlist })).accounts)).toEqual([[false, true]]);
  });

  it('an account that could not be read is named in the problem even if it is not listed', async () => {
    const errlist = [{ code: 'act.failed', msg: 'Try later.', account_id: 'ACT-2' }];
    const { problems } = await of([wireAccount()], { errlist });
    expect(problems).toMatchObject([{ kind: 'account_failed', accountExternalId: 'ACT-2' }]);
  });

  it('many accounts that could not be read are all named in problems even if none is listed', async () => {
    const ids = Array.from({ length: 150 }, (_, n) => `ACT-${n + 2}`);
    const errlist = ids.map((account_id) => ({ code: 'act.failed', msg: 'Try later.', account_id }));
    const { problems } = await of([wireAccount()], { errlist });
    expect(problems.map(({ accountExternalId }) => accountExternalId)).toEqual(ids);
  });

  it('an account with missing transactions keeps those received and is not complete', async () => {
    const errlist = [{ code: 'act.missingdata', msg: 'Incomplete.', account_id: 'ACT-1' }];
    const transactions = [wireTransaction('T-1', '2026-03-12', '-1.00')];
    const { accounts, problems } = await of([wireAccount({ transactions })], { errlist });
    expect(accounts[0]).toMatchObject({ covered: [], balance: { amountMinor: 10000 } });
    expect(accounts[0]!.transactions).toHaveLength(1);
    expect(problems).toMatchObject([{ kind: 'data_incomplete', accountExternalId: 'ACT-1' }]);
  });

  it('errors with unknown codes, keys and types become problems without an account', async () => {
    const errlist = [
      'Just a text.',
      { code: 'zzz.new', message: 'Other key.' },
      null,
      { code: 'con.new', msg: 'Hm.', conn_id: 'CON-9' },
    ];
    const { accounts, problems } = await of([wireAccount()], { errlist });
    // One without a code may mean that transactions are missing.
    expect(states(accounts)).toEqual([[false, true]]);
    expect((await of([wireAccount()], { errlist: [errlist[1], errlist[3]] })).accounts[0]?.covered).toHaveLength(1);
    expect(problems).toHaveLength(4);
    expect(problems.every(({ accountExternalId }) => accountExternalId === undefined)).toBe(true);
  });

  it.each([
    ['errors', { a: 1 }, 'no description'],
    ['errors', 'Trouble.', 'Trouble.'],
    ['errors', 7, 'no description'],
    ['errlist', 'Trouble.', 'Trouble.'],
    ['errlist', { msg: 'Trouble.' }, 'Trouble.'],
    ['errlist', true, 'no description'],
  ])('the field %s becomes one error that leaves a gap if it is not a list: %j', async (list, value, words) => {
    const { accounts, problems } = await of([wireAccount()], { [list]: value });
    expect(states(accounts)).toEqual([[false, true]]);
    expect(problems).toEqual([{ kind: 'data_incomplete', message: `The provider reports: “${words}”` }]);
  });

  it('a single error object in place of the list is read as that error', async () => {
    const errlist = { code: 'act.failed', msg: 'Try later.', account_id: 'ACT-2' };
    const { accounts, problems } = await of([wireAccount(), wireAccount({ id: 'ACT-2', ...OLD })], { errlist });
    expect(states(accounts)).toEqual([
      [true, true],
      [false, false],
    ]);
    expect(problems).toMatchObject([{ kind: 'account_failed', accountExternalId: 'ACT-2' }]);
  });

  it('an error whose message is not text keeps its code and its account', async () => {
    const errlist = [{ code: 'act.failed', msg: { en: 'Try later.' }, account_id: 'ACT-1' }];
    const { accounts, problems } = await of([wireAccount(OLD)], { errlist });
    expect(states(accounts)).toEqual([[false, false]]);
    expect(problems).toMatchObject([{ kind: 'account_failed', accountExternalId: 'ACT-1' }]);
  });

  it.each([{ a: 1 }, 'Bank', 7])(
    'connections that are not a list (%j) lose only the names of the banks',
    async (value) => {
      const { accounts, problems } = await of([wireAccount()], { connections: value });
      expect(accounts).toMatchObject([
        { covered: [{ until: TODAY }], institution: null, balance: { amountMinor: 10000 } },
      ]);
      const message = expect.stringMatching(/not as expected at \$\.connections: .* Names of banks may be missing\.$/);
      expect(problems).toEqual([{ kind: 'unexpected_reply', message }]);
    },
  );

  it.each([{ 'available-balance': {} }, { 'balance-date': [] }])(
    'an account with %j keeps its balance',
    async (odd) => {
      const { accounts } = await of([wireAccount(odd)]);
      expect(accounts).toMatchObject([{ covered: [{ until: TODAY }], balance: { amountMinor: 10000 } }]);
    },
  );

  it('holdings that are not a list become a problem and change nothing else', async () => {
    const { accounts, problems } = await of([wireAccount({ holdings: { count: 0 } })]);
    expect(accounts).toMatchObject([{ covered: [{ until: TODAY }], balance: {}, holdings: { status: 'unknown' } }]);
    expect(problems).toMatchObject([{ kind: 'unexpected_reply', accountExternalId: 'ACT-1' }]);
  });

  it.each([
    [{}, 'depository'],
    ['', 'depository'],
    [false, 'depository'],
    [[{ symbol: 'NQTX' }], 'depository'],
    [[{ symbol: 'NQTX', shares: '2' }], 'investment'],
  ])('unreadable holdings (%j) on a checking account suggest the account type %s', async (holdings, type) => {
    const { accounts } = await of([wireAccount({ name: 'Checking', holdings })]);
    expect(accounts).toMatchObject([{ suggestedType: type, holdings: { status: 'unknown' } }]);
  });

  it('a warning about the request quota becomes a rate_limited problem, and the account stays complete', async () => {
    const { accounts, problems } = await of([wireAccount()], {
      errors: ['You are above your quota of 24 requests per day.'],
    });
    expect(problems).toMatchObject([{ kind: 'rate_limited' }]);
    expect(states(accounts)).toEqual([[true, true]]);
  });

  it('an account in an unexpected format is left out and its JSON path is reported', async () => {
    const { accounts, problems } = await of([wireAccount({ id: 'ACT-2', org: 'a bank' }), wireAccount()]);
    expect(accounts.map(({ externalId }) => externalId)).toEqual(['ACT-1']);
    expect(problems).toMatchObject([{ kind: 'unexpected_reply', accountExternalId: 'ACT-2' }]);
    expect(problems[0]?.message).toMatch(/\$\.accounts\[0\]\.org: /);
  });

  it('a connection in an unexpected format loses only its name', async () => {
    const named = { conn_id: 'CON-1', name: 'Tidewater Bank' };
    const { accounts, problems } = await of([wireAccount()], { connections: [7, { conn_id: {} }, named] });
    expect(accounts).toMatchObject([{ covered: [{ until: TODAY }], institution: 'Tidewater Bank' }]);
    expect(problems).toEqual([{ kind: 'unexpected_reply', message: expect.stringMatching(/\$\.connections\[0\]: /) }]);
  });

  it('an account without an id is left out and reported', async () => {
    const { accounts, problems } = await of([wireAccount(), wireAccount({ id: null }), 7 as unknown as object]);
    expect(accounts).toHaveLength(1);
    expect(problems.map(({ kind, accountExternalId }) => [kind, accountExternalId])).toEqual([
      ['unexpected_reply', undefined],
      ['unexpected_reply', undefined],
    ]);
  });

  it('an unreadable balance is unknown, not zero', async () => {
    const { accounts, problems } = await of([wireAccount({ balance: 'n/a' })]);
    expect(accounts[0]).toMatchObject({ balance: null, covered: [{ until: TODAY }] });
    expect(problems).toMatchObject([{ kind: 'unexpected_reply', accountExternalId: 'ACT-1' }]);
  });

  it('an amount above the limit is skipped permanently and not reported as a format change', async () => {
    const transactions = ['-1000000000000.01', '1e14', '-1.00'].map((amount, i) =>
      wireTransaction(`T-${i}`, '2026-03-12', amount),
    );
    const holdings = [{ id: 'H', symbol: 'ONE', shares: '1', market_value: '1000000000000.01' }];
    const { accounts, problems } = await of([wireAccount({ balance: '1000000000000.01', transactions, holdings })]);
    expect(accounts).toMatchObject([{ balance: null, covered: [{ until: TODAY }], unreadableRows: 2 }]);
    expect(accounts[0]!.transactions).toHaveLength(1);
    expect(problems.map(({ kind }) => kind)).toEqual(Array(3).fill('amount_too_large'));
    for (const { message } of problems) expect(message).toMatch(/larger than Tidemark can keep exactly/);
  });

  it.each([null, '', undefined])('a missing balance (%j) is not updated and is reported once', async (balance) => {
    const { accounts, problems } = await of([wireAccount({ balance }), wireAccount({ id: 'ACT-2', balance: '0' })]);
    expect(accounts.map((account) => account.balance?.amountMinor)).toEqual([undefined, 0]);
    expect(problems).toMatchObject([{ kind: 'data_incomplete', accountExternalId: 'ACT-1' }]);
    const errlist = [{ code: 'act.failed', msg: 'Try later.', account_id: 'ACT-1' }];
    expect((await of([wireAccount({ balance })], { errlist })).problems).toMatchObject([{ kind: 'account_failed' }]);
  });

  it('a currency that is a URL keeps the balance as reported and leaves out the transactions', async () => {
    const currency = 'https://bridge.example/currency/miles';
    const transactions = [wireTransaction('T-1', '2026-03-12', '100')];
    const { accounts, problems } = await of([
      wireAccount({ currency, balance: '48210', transactions, holdings: [] }),
      wireAccount({ id: 'ACT-2' }),
    ]);
    expect(accounts[0]).toMatchObject({
      currency,
      balance: null,
      unsupportedBalance: '48210',
      transactions: [],
      holdings: { status: 'unknown' },
    });
    expect(accounts[1]?.balance?.amountMinor).toBe(10000);
    expect(problems).toMatchObject([
      { kind: 'unsupported_currency', message: expect.stringMatching(/1 transaction is left out/) },
    ]);
  });

  it('a missing currency is unknown, never US dollars', async () => {
    const { accounts, problems } = await of([
      wireAccount({ currency: '', transactions: [wireTransaction('T-1', '2026-03-12', '1')] }),
    ]);
    expect(accounts[0]).toMatchObject({ currency: null, balance: null, transactions: [], covered: [] });
    expect(problems).toMatchObject([{ kind: 'data_incomplete', accountExternalId: 'ACT-1' }]);
  });

  it('a balance dated in the future has an unknown date and is a problem, and is dropped if the account could not be read', async () => {
    const account = wireAccount({ 'balance-date': 253_402_300_799 });
    const { accounts, problems } = await of([account]);
    expect(accounts[0]?.balance).toMatchObject({ amountMinor: 10000, date: null });
    const message = expect.stringContaining('9999-12-31');
    expect(problems).toEqual([{ kind: 'data_incomplete', message, accountExternalId: 'ACT-1' }]);
    const errlist = [{ code: 'act.failed', msg: 'Try later.', account_id: 'ACT-1' }];
    expect((await of([account], { errlist })).accounts[0]?.balance).toBeNull();
  });

  it('a currency code in lower case is accepted', async () => {
    const { accounts, problems } = await of([wireAccount({ currency: 'usd' })]);
    expect([accounts[0]?.currency, accounts[0]?.balance?.amountMinor, problems]).toEqual(['USD', 10000, []]);
  });

  it('markup is kept in account names but removed from messages, and control characters are removed from both', async () => {
    const name = 'Card <script>alert(1)</script>\u0000\u202e';
    const errlist = [{ code: 'gen.', msg: 'Sorry <img src=x onerror=y>\u0007' }];
    const { accounts, problems } = await of([wireAccount({ name })], { errlist });
    expect(accounts[0]?.name).toBe('Card <script>alert(1)</script>');
    expect(problems[0]?.message).toBe('The provider reports: “Sorry”');
  });

  it('an account added again under a new id is listed under the new id only', async () => {
    const { accounts } = await of([wireAccount({ id: 'ACT-NEW' })]);
    expect(accounts.map(({ externalId, balance }) => [externalId, balance?.date])).toEqual([['ACT-NEW', TODAY]]);
  });
});
