import {
  isForAccounts,
  knownAccount,
  noon,
  type ScriptedUsProvider,
  startScriptedUsProvider,
  TODAY,
  wireAccount,
  wireHold,
  wireSet,
  wireTransaction,
} from '../../../test/support/scripted-us-provider.js';
import { type ScriptedAnswer, storedUntil } from '../../../test/support/scripted-server.js';
import type { BankSnapshot } from '../bank-provider.js';

const KNOWN = storedUntil({ 'ACT-1': '2026-03-14', 'ACT-2': '2026-03-14', 'ACT-3': '2026-03-14' });
const LOT = { id: 'HOL-1', currency: '', symbol: 'NQTX', description: 'INDEX ETF', shares: '2', market_value: '50.00' };

describe('snapshot of the US provider', () => {
  let us: ScriptedUsProvider;

  beforeEach(async () => {
    us = await startScriptedUsProvider();
  });
  afterEach(() => us.server.stop());

  /** What is made of one answer. */
  function of(accounts: object[], more: object = {}, request: object = {}): Promise<BankSnapshot> {
    us.server.play({ body: wireSet(accounts, more) });
    return us.snapshot({ covered: KNOWN, ...request });
  }

  it('a snapshot takes one request for balances and one for transactions', async () => {
    const { accounts, problems } = await of([
      wireAccount({ transactions: [wireTransaction('T-1', '2026-03-12', '-18.75')], holdings: [LOT] }),
    ]);
    expect(problems).toEqual([]);
    expect(accounts).toEqual([
      {
        externalId: 'ACT-1',
        name: 'Everyday Checking',
        institution: 'Tidewater Bank',
        currency: 'USD',
        balance: { amountMinor: 10000, availableMinor: 9000, date: TODAY, moment: expect.any(Object) },
        suggestedType: 'investment',
        covered: [{ from: '2026-02-01', until: TODAY }],
        unsupportedBalance: null,
        unreadableRows: 0,
        transactions: [expect.objectContaining({ externalId: 'T-1', date: '2026-03-12', amountMinor: -1875 })],
        holdings: {
          status: 'available',
          total: null,
          items: [expect.objectContaining({ symbol: 'NQTX', valueMinor: 5000 })],
        },
      },
    ]);
    expect(us.server.requests.map(({ query }) => Object.fromEntries(query))).toEqual([
      { version: '2', 'balances-only': '1' },
      { version: '2', 'start-date': '1769904000', pending: '1' },
    ]);
    for (const { path, headers } of us.server.requests) {
      expect(path).toBe('/simplefin/accounts');
      expect(headers).toMatchObject({
        authorization: `Basic ${Buffer.from('user:password').toString('base64')}`,
        'user-agent': expect.stringMatching(/^Tidemark/),
      });
    }
  });

  it('a response in protocol v1 is read like one in v2', async () => {
    const org = { domain: 'www.northquay.example', name: 'North Quay', 'sfin-url': 'https://bridge.example' };
    const old = wireAccount({ conn_id: undefined, org, 'balance-date': String(noon(TODAY)) });
    us.server.play({ body: { errors: [], accounts: [old] } });
    const { accounts, problems } = await us.snapshot({ covered: KNOWN });
    expect(problems).toEqual([]);
    expect(accounts[0]).toMatchObject({
      externalId: 'ACT-1',
      institution: 'North Quay',
      balance: { amountMinor: 10000, date: TODAY },
    });
  });

  it('a response that mixes protocol v1 and v2 is read', async () => {
    const { accounts, problems } = await of([wireAccount({ org: { name: 'Old name' } })], {
      errors: ['Something happened.'],
    });
    expect(accounts[0]).toMatchObject({ institution: 'Tidewater Bank', covered: [{ until: TODAY }] });
    expect(problems).toEqual([{ kind: 'data_incomplete', message: 'The provider reports: “Something happened.”' }]);
  });

  describe('a snapshot without pending transactions', () => {
    it('a snapshot without pending transactions omits the parameter, since `pending=0` would request them', async () => {
      await of([wireAccount()], {}, { includePending: false });
      expect(us.server.requests.map(({ query }) => query.has('pending'))).toEqual([false, false]);
    });

    it('pending transactions that a server sends unrequested are dropped', async () => {
      const transactions = [wireHold('H-1', '2026-03-14', '-42.00'), wireTransaction('T-1', '2026-03-12', '-1.00')];
      const { accounts } = await of([wireAccount({ transactions })], {}, { includePending: false });
      expect(accounts[0]!.transactions.map(({ externalId }) => externalId)).toEqual(['T-1']);
    });
  });

  it('a pending transaction without a posted date is dated by the day it was made', async () => {
    const { accounts } = await of([wireAccount({ transactions: [wireHold('H-1', '2026-03-14', '-42.00')] })]);
    expect(us.server.requests.at(-1)?.query.get('pending')).toBe('1');
    expect(accounts[0]!.transactions).toMatchObject([{ externalId: 'H-1', date: '2026-03-14', pending: true }]);
  });

  it('two accounts each keep a transaction with the same id', async () => {
    const transactions = [wireTransaction('T-1', '2026-03-12', '-1.00')];
    const { accounts } = await of([wireAccount({ transactions }), wireAccount({ id: 'ACT-2', transactions })]);
    expect(accounts.map((account) => account.transactions.length)).toEqual([1, 1]);
  });

  it('an account listed twice is returned once with the transactions of both listings', async () => {
    const first = wireAccount({ transactions: [wireTransaction('T-1', '2026-03-12', '-1.00')] });
    const again = wireAccount({ transactions: [wireTransaction('T-2', '2026-03-13', '-2.00')] });
    const { accounts } = await of([first, again]);
    expect(accounts).toHaveLength(1);
    expect(accounts[0]!.transactions).toHaveLength(2);
  });

  it('a response with loosely typed and missing fields is read', async () => {
    const loose = wireAccount({
      balance: 100.5,
      'available-balance': undefined,
      'balance-date': String(noon(TODAY)),
      holdings: undefined,
      transactions: [
        wireTransaction('T-1', '2026-03-12', -18.75, { pending: 0 }),
        wireHold('H-1', '2026-03-14', '-1.00', { pending: 1 }),
      ],
    });
    const { accounts, problems } = await of([loose]);
    expect(problems).toEqual([]);
    expect(accounts[0]).toMatchObject({
      balance: { amountMinor: 10050, availableMinor: null, date: TODAY },
      holdings: { status: 'unknown' },
      transactions: [{ amountMinor: -1875, pending: false }, { pending: true }],
    });
  });

  it('an empty list of accounts is returned as it is, with a problem', async () => {
    const { accounts, problems } = await of([]);
    expect(accounts).toEqual([]);
    expect(problems).toEqual([{ kind: 'data_incomplete', message: expect.stringMatching(/Your data is unchanged/) }]);
    expect(us.server.requests).toHaveLength(2);
  });

  it('URLs that a response names are never requested', async () => {
    const url = `${us.server.url}/trap`;
    const connections = [{ conn_id: 'CON-1', name: 'Bank', org_id: 'X', org_url: url, sfin_url: url }];
    await of([wireAccount({ currency: url, org: { name: 'Bank', url, 'sfin-url': url } })], { connections });
    expect(us.server.requests.every(isForAccounts)).toBe(true);
  });

  describe('server versions in a snapshot', () => {
    const told = async (answer: ScriptedAnswer) => {
      us.server.play((request) => (isForAccounts(request) ? { body: wireSet([wireAccount()]) } : answer));
      return us.snapshot({ wantsServerInfo: true });
    };

    it('server versions are requested without the credential and counted in the request budget', async () => {
      const snapshot = await told({ body: { versions: ['1.0', '2.0.0-draft\u0007 and a long tail of words'] } });
      expect(snapshot.serverVersions).toEqual(['1.0', '2.0.0-draft and a lo']);
      const info = us.server.requests.filter(({ path }) => path === '/simplefin/info');
      expect(info).toHaveLength(1);
      expect(info[0]?.headers).not.toHaveProperty('authorization');
      expect(us.spent()).toBe(us.server.requests.length);
    });

    it.each([
      ['an HTML page', { body: '<html>' }, []],
      ['a 404', { status: 404, body: 'Not found' }, []],
      ['a 503', { status: 503, body: 'busy' }, undefined],
      ['a 429', { status: 429, body: '<html>' }, undefined],
      ['a connection reset', 'reset', undefined],
    ] as const)('a snapshot succeeds without server versions after %s', async (_, answer, versions) => {
      const snapshot = await told(answer);
      expect(snapshot.serverVersions).toEqual(versions);
      expect(snapshot.accounts).toHaveLength(1);
      expect(snapshot.problems).toEqual([]);
    });

    it('server versions are not requested unless the sync wants them', async () => {
      us.server.play({ body: wireSet([wireAccount()]) });
      expect(await us.snapshot()).not.toHaveProperty('serverVersions');
      expect(us.server.requests.every(isForAccounts)).toBe(true);
    });
  });

  describe('holdings in a snapshot', () => {
    const holdingsOf = async (wire: object, more: object = {}) =>
      (await of([wireAccount(wire)], more)).accounts[0]!.holdings;

    it('a checking account with an empty list of holdings does not support holdings', async () => {
      expect(await holdingsOf({ holdings: [] })).toEqual({ status: 'unavailable' });
    });

    it('an empty list of holdings is an empty portfolio for a brokerage or an account of unknown type', async () => {
      expect(await holdingsOf({ name: 'Brokerage', holdings: [] })).toEqual({
        status: 'available',
        items: [],
        total: null,
      });
      expect(await holdingsOf({ name: 'Account 7780', holdings: [] })).toEqual({
        status: 'available',
        items: [],
        total: null,
      });
    });

    it.each([
      ['had holdings before', { holdingsSupported: true }],
      ['has the type investment', { accountType: 'investment' }],
    ])('an empty list of holdings is an empty portfolio for an account that %s, whatever its name', async (_, more) => {
      const request = { knownAccounts: new Map([['ACT-1', knownAccount(more)]]) };
      const { accounts } = await of([wireAccount({ name: 'Health Savings Account', holdings: [] })], {}, request);
      expect(accounts[0]!.holdings).toEqual({ status: 'available', items: [], total: null });
    });

    it('holdings are unknown if the response leaves them out', async () => {
      expect(await holdingsOf({ name: 'Brokerage', holdings: undefined })).toEqual({ status: 'unknown' });
    });

    it('holdings are unknown if the list is empty and the account has a warning', async () => {
      const errlist = [{ code: 'act.missingdata', msg: 'Incomplete.', account_id: 'ACT-1' }];
      expect(await holdingsOf({ name: 'Brokerage', holdings: [] }, { errlist })).toEqual({ status: 'unknown' });
    });

    it('holdings are unknown and reported if one of them is unreadable', async () => {
      const { accounts, problems } = await of([wireAccount({ holdings: [LOT, { symbol: 'OTHR' }] })]);
      expect(accounts[0]!.holdings).toEqual({ status: 'unknown' });
      expect(problems).toMatchObject([{ kind: 'unexpected_reply', accountExternalId: 'ACT-1' }]);
    });
  });
});
