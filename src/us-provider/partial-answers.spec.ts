import {
  noon,
  type ScriptedUsProvider,
  startScriptedUsProvider,
  TODAY,
  wireAccount,
  wireSet,
  wireTransaction,
} from '../../test/support/scripted-us-provider.js';
import type { BankSnapshot, SnapshotAccount } from '../bank-provider/bank-provider.js';

const KNOWN = new Map(['ACT-1', 'ACT-2', 'ACT-3'].map((id) => [id, '2026-03-14']));
const OLD = { 'balance-date': noon('2026-03-10') };
const TWO_BANKS = [
  { conn_id: 'CON-1', name: 'Tidewater Bank - Rowan', org_name: 'Tidewater Bank' },
  { conn_id: 'CON-2', name: 'Meridian Brokerage' },
];

describe('an answer that is good but for', () => {
  let us: ScriptedUsProvider;

  beforeEach(async () => {
    us = await startScriptedUsProvider();
  });
  afterEach(() => us.server.stop());

  function of(accounts: object[], more: object = {}): Promise<BankSnapshot> {
    us.server.play({ body: wireSet(accounts, { connections: TWO_BANKS, ...more }) });
    return us.snapshot({ completeUntil: KNOWN });
  }

  const states = (accounts: SnapshotAccount[]) => accounts.map(({ complete, balance }) => [complete, balance !== null]);

  it('one bank that needs a login flags the accounts of that bank only', async () => {
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
    expect(problems[0]?.message).toMatch(/“Meridian needs a new sign-in.”.*stays valid/);
  });

  it('one bank that needs a login keeps a balance that is of today all the same', async () => {
    const errlist = [{ code: 'con.auth', msg: 'Sign in.', conn_id: 'CON-2' }];
    const { accounts } = await of([wireAccount({ conn_id: 'CON-2' })], { errlist });
    expect(states(accounts)).toEqual([[false, true]]);
  });

  it('one bank that needs attention, in the older dialect', async () => {
    const accounts = [
      wireAccount({ conn_id: undefined, org: { name: 'North Quay' }, ...OLD }),
      wireAccount({ id: 'ACT-2', conn_id: undefined, org: { name: 'Tidewater Bank' } }),
    ];
    us.server.play({ body: { errors: ['Connection to North Quay may need attention'], accounts } });
    const snapshot = await us.snapshot({ completeUntil: KNOWN });
    expect(states(snapshot.accounts)).toEqual([
      [false, false],
      [true, true],
    ]);
    expect(snapshot.problems).toMatchObject([{ kind: 'account_failed', accountExternalId: 'ACT-1' }]);
  });

  it('an account that could not be read keeps its old balance and its place in time', async () => {
    const errlist = [{ code: 'act.failed', msg: 'Try later.', account_id: 'ACT-2' }];
    const { accounts, problems } = await of([wireAccount(), wireAccount({ id: 'ACT-2', ...OLD })], { errlist });
    expect(states(accounts)).toEqual([
      [true, true],
      [false, false],
    ]);
    expect(problems).toMatchObject([{ kind: 'account_failed', accountExternalId: 'ACT-2' }]);
  });

  it.each(['0.00', '-0', '12.00'])(
    'an account that could not be read and has a fresh balance of %s',
    async (balance) => {
      const errlist = [{ code: 'act.failed', msg: 'Try later.', account_id: 'ACT-1' }];
      const { accounts, problems } = await of([wireAccount({ balance, holdings: [] })], { errlist });
      const isZero = balance !== '12.00';
      expect(states(accounts)).toEqual([[false, !isZero]]);
      expect(problems.map(({ kind }) => kind)).toEqual(['account_failed', ...(isZero ? ['data_incomplete'] : [])]);
    },
  );

  it('a zero balance of a bank that needs a login is taken, because the account itself did not fail', async () => {
    const errlist = [{ code: 'con.auth', msg: 'Sign in.', conn_id: 'CON-1' }];
    expect(states((await of([wireAccount({ balance: '0.00' })], { errlist })).accounts)).toEqual([[false, true]]);
  });

  it('an account that could not be read and is not even listed is named', async () => {
    const errlist = [{ code: 'act.failed', msg: 'Try later.', account_id: 'ACT-2' }];
    const { problems } = await of([wireAccount()], { errlist });
    expect(problems).toMatchObject([{ kind: 'account_failed', accountExternalId: 'ACT-2' }]);
  });

  it('many accounts that could not be read and are not even listed are all named', async () => {
    const ids = Array.from({ length: 150 }, (_, n) => `ACT-${n + 2}`);
    const errlist = ids.map((account_id) => ({ code: 'act.failed', msg: 'Try later.', account_id }));
    const { problems } = await of([wireAccount()], { errlist });
    expect(problems.map(({ accountExternalId }) => accountExternalId)).toEqual(ids);
  });

  it('an incomplete list of transactions gives what came, and is not complete', async () => {
    const errlist = [{ code: 'act.missingdata', msg: 'Incomplete.', account_id: 'ACT-1' }];
    const transactions = [wireTransaction('T-1', '2026-03-12', '-1.00')];
    const { accounts, problems } = await of([wireAccount({ transactions })], { errlist });
    expect(accounts[0]).toMatchObject({ complete: false, coveredFrom: null, balance: { amountMinor: 10000 } });
    expect(accounts[0]!.transactions).toHaveLength(1);
    expect(problems).toMatchObject([{ kind: 'data_incomplete', accountExternalId: 'ACT-1' }]);
  });

  it('errors with codes, keys and types that nobody knows', async () => {
    const errlist = [
      'Just a text.',
      { code: 'zzz.new', message: 'Other key.' },
      null,
      { code: 'con.new', msg: 'Hm.', conn_id: 'CON-9' },
    ];
    const { accounts, problems } = await of([wireAccount()], { errlist });
    // One without a code may mean that transactions are missing.
    expect(states(accounts)).toEqual([[false, true]]);
    expect((await of([wireAccount()], { errlist: [errlist[1], errlist[3]] })).accounts[0]?.complete).toBe(true);
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
  ])('%s that are no list (%j) are one error, which leaves a gap', async (list, value, words) => {
    const { accounts, problems } = await of([wireAccount()], { [list]: value });
    expect(states(accounts)).toEqual([[false, true]]);
    expect(problems).toEqual([{ kind: 'data_incomplete', message: `The provider reports: “${words}”` }]);
  });

  it('a single error in place of the list, which means what it says', async () => {
    const errlist = { code: 'act.failed', msg: 'Try later.', account_id: 'ACT-2' };
    const { accounts, problems } = await of([wireAccount(), wireAccount({ id: 'ACT-2', ...OLD })], { errlist });
    expect(states(accounts)).toEqual([
      [true, true],
      [false, false],
    ]);
    expect(problems).toMatchObject([{ kind: 'account_failed', accountExternalId: 'ACT-2' }]);
  });

  it('an error with a member of another type, which keeps its code and its account', async () => {
    const errlist = [{ code: 'act.failed', msg: { en: 'Try later.' }, account_id: 'ACT-1' }];
    const { accounts, problems } = await of([wireAccount(OLD)], { errlist });
    expect(states(accounts)).toEqual([[false, false]]);
    expect(problems).toMatchObject([{ kind: 'account_failed', accountExternalId: 'ACT-1' }]);
  });

  it.each([{ a: 1 }, 'Bank', 7])(
    'connections that are no list (%j), of which only the names are lost',
    async (value) => {
      const { accounts, problems } = await of([wireAccount()], { connections: value });
      expect(accounts).toMatchObject([{ complete: true, institution: null, balance: { amountMinor: 10000 } }]);
      const message = expect.stringMatching(/not as expected at \$\.connections: .* Names of banks may be missing\.$/);
      expect(problems).toEqual([{ kind: 'unexpected_reply', message }]);
    },
  );

  it.each([{ 'available-balance': {} }, { 'balance-date': [] }])(
    'an account with %j, which keeps its balance',
    async (odd) => {
      const { accounts } = await of([wireAccount(odd)]);
      expect(accounts).toMatchObject([{ complete: true, balance: { amountMinor: 10000 } }]);
    },
  );

  it('holdings that are no list, which cost nothing else and are a problem', async () => {
    const { accounts, problems } = await of([wireAccount({ holdings: { count: 0 } })]);
    expect(accounts).toMatchObject([{ complete: true, balance: {}, holdings: { status: 'unknown' } }]);
    expect(problems).toMatchObject([{ kind: 'unexpected_reply', accountExternalId: 'ACT-1' }]);
  });

  it.each([
    [{}, 'depository'],
    ['', 'depository'],
    [false, 'depository'],
    [[{ symbol: 'NQTX' }], 'depository'],
    [[{ symbol: 'NQTX', shares: '2' }], 'investment'],
  ])('holdings that cannot be read (%j) leave the type of a checking account at %s', async (holdings, type) => {
    const { accounts } = await of([wireAccount({ name: 'Checking', holdings })]);
    expect(accounts).toMatchObject([{ suggestedType: type, holdings: { status: 'unknown' } }]);
  });

  it('a warning about the number of requests', async () => {
    const { accounts, problems } = await of([wireAccount()], {
      errors: ['You are above your quota of 24 requests per day.'],
    });
    expect(problems).toMatchObject([{ kind: 'rate_limited' }]);
    expect(states(accounts)).toEqual([[true, true]]);
  });

  it('an account that is not as expected loses that one and says where', async () => {
    const { accounts, problems } = await of([wireAccount({ id: 'ACT-2', org: 'a bank' }), wireAccount()]);
    expect(accounts.map(({ externalId }) => externalId)).toEqual(['ACT-1']);
    expect(problems).toMatchObject([{ kind: 'unexpected_reply', accountExternalId: 'ACT-2' }]);
    expect(problems[0]?.message).toMatch(/\$\.accounts\[0\]\.org: /);
  });

  it('a connection that is not as expected, of which only the name is lost', async () => {
    const named = { conn_id: 'CON-1', name: 'Tidewater Bank' };
    const { accounts, problems } = await of([wireAccount()], { connections: [7, { conn_id: {} }, named] });
    expect(accounts).toMatchObject([{ complete: true, institution: 'Tidewater Bank' }]);
    expect(problems).toEqual([{ kind: 'unexpected_reply', message: expect.stringMatching(/\$\.connections\[0\]: /) }]);
  });

  it('an account without so much as an id', async () => {
    const { accounts, problems } = await of([wireAccount(), wireAccount({ id: null }), 7 as unknown as object]);
    expect(accounts).toHaveLength(1);
    expect(problems.map(({ kind, accountExternalId }) => [kind, accountExternalId])).toEqual([
      ['unexpected_reply', undefined],
      ['unexpected_reply', undefined],
    ]);
  });

  it('a row that cannot be read loses that row and counts it', async () => {
    const transactions = [
      wireTransaction('T-1', '2026-03-12', '-1.00'),
      wireTransaction('T-2', '2026-03-12', '1,234.56'),
      wireTransaction('T-3', '2026-03-13', '-3.00'),
    ];
    const { accounts, problems } = await of([wireAccount({ transactions })]);
    expect(accounts[0]!.transactions.map(({ externalId }) => externalId)).toEqual(['T-1', 'T-3']);
    expect(accounts[0]!.complete).toBe(true);
    expect(problems).toMatchObject([{ kind: 'unexpected_reply', accountExternalId: 'ACT-1' }]);
    expect(problems[0]?.message).toMatch(/^1 transaction .* is left out\.$/);
  });

  it('rows that can mostly not be read is not complete: they are asked for again', async () => {
    const transactions = [
      wireTransaction('T-1', '2026-03-12', null),
      { id: 'T-2' },
      wireTransaction('T-3', '2026-03-13', '-3.00'),
    ];
    const { accounts } = await of([wireAccount({ transactions })]);
    expect(accounts[0]).toMatchObject({ complete: false, coveredFrom: null });
  });

  it('an unreadable balance is unknown, not zero', async () => {
    const { accounts, problems } = await of([wireAccount({ balance: 'n/a' })]);
    expect(accounts[0]).toMatchObject({ balance: null, complete: true });
    expect(problems).toMatchObject([{ kind: 'unexpected_reply', accountExternalId: 'ACT-1' }]);
  });

  it('amounts beyond the limit are unknown for good, and no change of the format', async () => {
    const transactions = ['-1000000000000.01', '1e14', '-1.00'].map((amount, i) =>
      wireTransaction(`T-${i}`, '2026-03-12', amount),
    );
    const holdings = [{ id: 'H', symbol: 'ONE', shares: '1', market_value: '1000000000000.01' }];
    const { accounts, problems } = await of([wireAccount({ balance: '1000000000000.01', transactions, holdings })]);
    expect(accounts).toMatchObject([{ balance: null, complete: true, unreadableRows: 2 }]);
    expect(accounts[0]!.transactions).toHaveLength(1);
    expect(problems.map(({ kind }) => kind)).toEqual(Array(3).fill('amount_too_large'));
    for (const { message } of problems) expect(message).toMatch(/larger than Tidemark can keep exactly/);
  });

  it.each([null, '', undefined])(
    'a balance that is left out (%j) is not updated, which is said once',
    async (balance) => {
      const { accounts, problems } = await of([wireAccount({ balance }), wireAccount({ id: 'ACT-2', balance: '0' })]);
      expect(accounts.map((account) => account.balance?.amountMinor)).toEqual([undefined, 0]);
      expect(problems).toMatchObject([{ kind: 'data_incomplete', accountExternalId: 'ACT-1' }]);
      const errlist = [{ code: 'act.failed', msg: 'Try later.', account_id: 'ACT-1' }];
      expect((await of([wireAccount({ balance })], { errlist })).problems).toMatchObject([{ kind: 'account_failed' }]);
    },
  );

  it('a row dated a year off keeps it as it is and says so', async () => {
    const { accounts, problems } = await of([
      wireAccount({ transactions: [wireTransaction('T-1', '2025-03-13', '-1.00')] }),
    ]);
    expect(accounts[0]!.transactions).toMatchObject([{ date: '2025-03-13' }]);
    expect(problems).toMatchObject([{ kind: 'data_incomplete', accountExternalId: 'ACT-1' }]);
    expect(problems[0]?.message).toMatch(/2025-03-13, far outside/);
  });

  it('a row dated decades off is left out, which is said, because the history would begin there', async () => {
    const { accounts, problems } = await of([
      wireAccount({
        transactions: [wireTransaction('T-1', '1970-01-02', '-1.00'), wireTransaction('T-2', '2026-03-13', '-2.00')],
      }),
    ]);
    expect(accounts[0]!.transactions).toMatchObject([{ externalId: 'T-2' }]);
    expect(problems).toMatchObject([{ kind: 'unexpected_reply', accountExternalId: 'ACT-1' }]);
    expect(problems[0]?.message).toMatch(/^1 transaction .* with 1970-01-02, and is left out\.$/);
  });

  it('a currency that is a URL keeps the balance as reported, and says what it leaves out', async () => {
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

  it('a missing currency is never taken for dollars', async () => {
    const { accounts, problems } = await of([
      wireAccount({ currency: '', transactions: [wireTransaction('T-1', '2026-03-12', '1')] }),
    ]);
    expect(accounts[0]).toMatchObject({ currency: null, balance: null, transactions: [], complete: false });
    expect(problems).toMatchObject([{ kind: 'data_incomplete', accountExternalId: 'ACT-1' }]);
  });

  it('a balance of a day to come, which is of an unknown day and a problem, also where the account could not be read', async () => {
    const account = wireAccount({ 'balance-date': 253_402_300_799 });
    const { accounts, problems } = await of([account]);
    expect(accounts[0]?.balance).toMatchObject({ amountMinor: 10000, date: null });
    const message = expect.stringContaining('9999-12-31');
    expect(problems).toEqual([{ kind: 'data_incomplete', message, accountExternalId: 'ACT-1' }]);
    const errlist = [{ code: 'act.failed', msg: 'Try later.', account_id: 'ACT-1' }];
    expect((await of([account], { errlist })).accounts[0]?.balance).toBeNull();
  });

  it('a currency in lower case', async () => {
    const { accounts, problems } = await of([wireAccount({ currency: 'usd' })]);
    expect([accounts[0]?.currency, accounts[0]?.balance?.amountMinor, problems]).toEqual(['USD', 10000, []]);
  });

  it('markup and control characters, which names keep and lines lose', async () => {
    const name = 'Card <script>alert(1)</script>\u0000\u202e';
    const errlist = [{ code: 'gen.', msg: 'Sorry <img src=x onerror=y>\u0007' }];
    const { accounts, problems } = await of([wireAccount({ name })], { errlist });
    expect(accounts[0]?.name).toBe('Card <script>alert(1)</script>');
    expect(problems[0]?.message).toBe('The provider reports: “Sorry”');
  });

  it('an account that was added again under a new id is listed under the new one only', async () => {
    const { accounts } = await of([wireAccount({ id: 'ACT-NEW' })]);
    expect(accounts.map(({ externalId, balance }) => [externalId, balance?.date])).toEqual([['ACT-NEW', TODAY]]);
  });
});
