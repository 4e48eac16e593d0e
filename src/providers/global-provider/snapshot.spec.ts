import {
  API_KEY,
  type FakeAccount,
  isFor,
  isList,
  type ScriptedGlobalProvider,
  startScriptedGlobalProvider,
  TODAY,
  wireAccount,
  wireBalance,
  wireHold,
  wireHolding,
  wireHoldings,
  wireTransaction,
} from '../../../test/support/scripted-global-provider.js';
import { type ScriptedReply, storedUntil } from '../../../test/support/scripted-server.js';
import type { BankSnapshot, KnownAccount, SnapshotRequest } from '../bank-provider.js';

const IN_EUROS: KnownAccount = {
  name: 'A',
  nameChosen: false,
  institution: null,
  currency: 'EUR',
  accountType: null,
  holdingsSupported: null,
};
const KNOWN = storedUntil({ 20417: '2026-03-14', 20418: '2026-03-14', 20977: '2026-03-14' });

describe('snapshot of the global provider', () => {
  let global: ScriptedGlobalProvider;

  beforeEach(async () => {
    global = await startScriptedGlobalProvider();
  });
  afterEach(() => global.server.stop());

  function of(accounts: FakeAccount[], request: Partial<SnapshotRequest> = {}): Promise<BankSnapshot> {
    global.serve(accounts);
    return global.snapshot({ covered: KNOWN, ...request });
  }

  it('a snapshot takes one request for the accounts and three for each, one after the other', async () => {
    const { accounts, problems } = await of([
      {
        wire: wireAccount(),
        balance: wireBalance(1432.6),
        transactions: [wireTransaction('T-1', '2026-03-12', -54.9)],
        holdings: wireHoldings([wireHolding()], 1326.5),
      },
    ]);
    expect(problems).toEqual([]);
    expect(accounts).toEqual([
      {
        externalId: '20417',
        name: 'Compte courant',
        institution: 'Banque du Lac',
        currency: 'EUR',
        balance: { amountMinor: 143260, availableMinor: null, date: null },
        suggestedType: 'investment',
        covered: [{ from: '2026-02-12', until: TODAY }],
        unsupportedBalance: null,
        unreadableRows: 0,
        transactions: [expect.objectContaining({ externalId: 'T-1', date: '2026-03-12', amountMinor: -5490 })],
        holdings: {
          status: 'available',
          items: [expect.objectContaining({ symbol: 'MDVX', valueMinor: 132600 })],
          total: { amountMinor: 132650, currency: 'EUR' },
        },
      },
    ]);
    expect(global.server.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /api/v1/accounts',
      'GET /api/v1/accounts/20417/balance',
      'GET /api/v1/accounts/20417/transactions',
      'GET /api/v1/accounts/20417/holdings',
    ]);
    for (const { headers } of global.server.requests) expect(headers['x-api-key']).toBe(API_KEY);
  });

  it('account ids are read alike as strings and as numbers', async () => {
    const { accounts } = await of([{ wire: wireAccount({ id: '20417' }) }, { wire: wireAccount({ id: 20418 }) }]);
    expect(accounts.map(({ externalId, covered }) => [externalId, covered.length > 0])).toEqual([
      ['20417', true],
      ['20418', true],
    ]);
  });

  it('an account listed twice, with its id as a number and as a string, is returned once', async () => {
    const { accounts } = await of([{ wire: wireAccount() }, { wire: wireAccount({ id: '20417' }) }]);
    expect(accounts).toHaveLength(1);
  });

  it.each([
    ['name', { name: 'Savings' }, '“Checking” and “Savings”'],
    ['currency', { currency: 'USD' }, '“Checking”'],
    ['institution', { institution_name: 'Other Bank' }, '“Checking”'],
    ['status', { status: 'ERROR' }, '“Checking”'],
  ])('an account listed twice with a different %s is left out and reported', async (what, facts, names) => {
    const listing = { name: 'Checking', currency: 'EUR' };
    const { accounts, problems } = await of([
      { wire: wireAccount(listing) },
      { wire: wireAccount({ ...listing, ...facts }) },
      { wire: wireAccount({ id: 20418 }) },
    ]);
    expect(accounts.map(({ externalId }) => externalId)).toEqual(['20418']);
    const words = `The provider lists one account more than once, each time with another ${what}: ${names}.`;
    expect(problems).toMatchObject([{ kind: 'unexpected_reply', accountExternalId: '20417' }]);
    expect(problems[0]?.message).toContain(words);
  });

  it('a transaction id may occur in two accounts, but is returned once per account', async () => {
    const transactions = [wireTransaction('T-1', '2026-03-12', -1), wireTransaction('T-1', '2026-03-12', -1)];
    const { accounts } = await of([
      { wire: wireAccount(), transactions },
      { wire: wireAccount({ id: 20418 }), transactions },
    ]);
    expect(accounts.map((account) => account.transactions.length)).toEqual([1, 1]);
  });

  it('two equal purchases are both kept, pending or posted', async () => {
    const transactions = [
      ...[wireHold('2026-03-14', -2.3), wireHold('2026-03-14', -2.3)],
      ...[wireTransaction('T-1', '2026-03-12', -4), wireTransaction('T-2', '2026-03-12', -4)],
    ];
    const first = await of([{ wire: wireAccount(), transactions }]);
    const again = await of([{ wire: wireAccount(), transactions: transactions.toReversed() }]);
    const ids = ({ accounts }: BankSnapshot) => accounts[0]!.transactions.map(({ externalId }) => externalId).sort();
    expect(new Set(ids(first)).size).toBe(4);
    expect(ids(again)).toEqual(ids(first));
  });

  describe('pending transactions in a snapshot', () => {
    const transactions = [wireHold('2026-03-14', -2.3), wireTransaction('T-1', '2026-03-12', -1)];

    it('pending transactions are requested with include_pending=true', async () => {
      const { accounts } = await of([{ wire: wireAccount(), transactions }]);
      expect(global.server.requests.find(isFor('transactions'))?.query.get('include_pending')).toBe('true');
      expect(accounts[0]!.transactions).toMatchObject([{ pending: true, merchant: 'Metro Ville' }, { pending: false }]);
    });

    it('pending transactions are neither requested nor kept if they are not wanted', async () => {
      global.serve([{ wire: wireAccount() }], (reply, request) =>
        isFor('transactions')(request) ? { body: { transactions, total: 2 } } : reply,
      );
      const { accounts } = await global.snapshot({ covered: KNOWN, includePending: false });
      expect(global.server.requests.find(isFor('transactions'))?.query.has('include_pending')).toBe(false);
      expect(accounts[0]!.transactions.map(({ externalId }) => externalId)).toEqual(['T-1']);
    });
  });

  describe('an account listed without a currency', () => {
    const wire = wireAccount({ currency: undefined });

    it('an account listed without a currency takes that of its balance', async () => {
      const { accounts } = await of([{ wire, balance: wireBalance(120000, 'jpy') }]);
      expect(accounts[0]).toMatchObject({ currency: 'JPY', balance: { amountMinor: 120000 } });
    });

    it('an account listed without a currency takes that of its transactions if they agree', async () => {
      const transactions = [wireTransaction('T-1', '2026-03-12', -1), wireTransaction('T-2', '2026-03-11', -1)];
      const agreed = await of([{ wire, balance: wireBalance(100, null), transactions }]);
      expect(agreed.accounts[0]).toMatchObject({
        currency: 'EUR',
        balance: { amountMinor: 10000 },
        covered: [{ until: TODAY }],
      });
      const foreign = wireTransaction('T-3', '2026-03-11', -1, { currency: 'USD' });
      const mixed = await of([{ wire, balance: wireBalance(100, null), transactions: [...transactions, foreign] }]);
      expect(mixed.accounts[0]).toMatchObject({ currency: null, balance: null, covered: [] });
      expect(mixed.accounts[0]!.transactions.map(({ currency }) => currency)).toEqual(['EUR', 'EUR', 'USD']);
      expect(mixed.problems).toMatchObject([{ kind: 'data_incomplete', accountExternalId: '20417' }]);
    });

    it('an account listed without a currency takes none from transactions that name another account', async () => {
      const other = wireTransaction('T-1', '2026-03-12', -1, { accountId: 999999, currency: 'JPY' });
      const own = wireTransaction('T-2', '2026-03-11', -1);
      const balance = wireBalance(100, null);
      const beside = await of([{ wire, balance, transactions: [other, own] }]);
      expect(beside.accounts[0]).toMatchObject({ currency: 'EUR', balance: { amountMinor: 10000 } });
      const alone = await of([{ wire, balance, transactions: [other] }]);
      expect(alone.accounts[0]).toMatchObject({ currency: null, balance: null });
    });

    it('an account without any reported currency has none, never US dollars', async () => {
      const { accounts } = await of([{ wire, balance: { balance: { amount: 100 } } }]);
      expect(accounts[0]).toMatchObject({ currency: null, balance: null, covered: [] });
    });
  });

  it('a balance in another currency than its account is not used', async () => {
    const { accounts, problems } = await of([
      { wire: wireAccount({ currency: 'CAD' }), balance: wireBalance(100, 'USD') },
    ]);
    expect(accounts[0]).toMatchObject({ currency: 'CAD', balance: null, covered: [{ until: TODAY }] });
    expect(problems).toMatchObject([{ kind: 'data_incomplete', message: expect.stringMatching(/another currency/) }]);
  });

  it.each([
    ['USD', 250_000, 'DOGE', 'USD', null, null, 'data_incomplete'],
    ['DOGE', 1200, 'USD', 'USD', 120_000, null, null],
    ['DOGE', 7, 'doge', 'DOGE', null, '7', 'unsupported_currency'],
    ['DOGE', 7, null, 'DOGE', null, '7', 'unsupported_currency'],
    ['DOGE', 7, 'SHIB', 'DOGE', null, null, 'data_incomplete'],
  ])(
    'an account in %s with a balance of %j in %j is in %s and never takes the amount for another currency',
    async (listed, amount, currency, own, amountMinor, unsupportedBalance, problem) => {
      const { accounts, problems } = await of([
        { wire: wireAccount({ currency: listed }), balance: wireBalance(amount, currency) },
      ]);
      expect(accounts[0]).toMatchObject({ currency: own, unsupportedBalance });
      expect(accounts[0]?.balance?.amountMinor ?? null).toBe(amountMinor);
      expect(problems.map(({ kind }) => kind)).toEqual(problem === null ? [] : [problem]);
    },
  );

  describe('a known account in euros that is now listed with an invalid currency', () => {
    const NO_CURRENCIES = ['undefined', 'N/A', 'XXX'];
    const knownAccounts = new Map([['20417', IN_EUROS]]);
    const rows = (currency: string | null) => [
      wireTransaction('T-1', '2026-03-12', -1, { currency }),
      wireTransaction('T-2', '2026-03-11', -1, { currency }),
    ];

    it.each(NO_CURRENCIES)('an account listed in %s keeps its stored currency and its amounts', async (currency) => {
      const account = { wire: wireAccount({ currency }), balance: wireBalance(5, 'EUR'), transactions: rows('EUR') };
      const { accounts, problems } = await of([account], { knownAccounts });
      expect(accounts[0]).toMatchObject({
        currency: 'EUR',
        balance: { amountMinor: 500 },
        covered: [{ until: TODAY }],
      });
      expect([accounts[0]!.transactions.length, problems]).toEqual([2, []]);
    });

    it.each(NO_CURRENCIES)('an account listed in %s does not use amounts without a currency', async (currency) => {
      const account = { wire: wireAccount({ currency }), balance: wireBalance(5, null), transactions: rows(null) };
      const { accounts, problems } = await of([account], { knownAccounts });
      expect(accounts[0]).toMatchObject({ currency: 'EUR', balance: null, transactions: [], covered: [] });
      expect(problems.map(({ kind }) => kind)).toEqual(['unexpected_reply', 'data_incomplete']);
    });

    it('an account listed with an invalid currency takes that of its balance if none is stored', async () => {
      const { accounts } = await of([{ wire: wireAccount({ currency: 'N/A' }), balance: wireBalance(5, 'EUR') }]);
      expect(accounts[0]).toMatchObject({ currency: 'EUR', balance: { amountMinor: 500 } });
    });
  });

  it('an unsupported balance is kept as reported, and the transactions left out are counted', async () => {
    const { accounts, problems } = await of([
      {
        wire: wireAccount({ currency: 'POINTS' }),
        balance: wireBalance(0.5, 'POINTS'),
        transactions: [wireTransaction('T-1', '2026-03-12', -1)],
      },
    ]);
    expect(accounts[0]).toMatchObject({
      currency: 'POINTS',
      balance: null,
      unsupportedBalance: '0.5',
      transactions: [],
      covered: [{ from: null, until: TODAY }],
    });
    expect(problems).toMatchObject([
      { kind: 'unsupported_currency', message: expect.stringMatching(/1 transaction is left out/) },
    ]);
    expect(global.server.requests).toHaveLength(3);
  });

  it('a balance in bitcoin is counted with eight decimal places', async () => {
    const { accounts, problems } = await of([
      { wire: wireAccount({ currency: 'BTC' }), balance: wireBalance('0.50000001', 'BTC') },
    ]);
    expect([accounts[0]?.balance?.amountMinor, problems]).toEqual([50_000_001, []]);
  });

  it('an empty list of accounts is reported with advice on how to add some, and changes no data', async () => {
    const { accounts, problems } = await of([]);
    expect(accounts).toEqual([]);
    expect(problems).toEqual([
      { kind: 'data_incomplete', message: expect.stringMatching(/Your data is unchanged.*Account Access/) },
    ]);
  });

  it.each([
    [4, 6, 1],
    [4, '6', 1],
    [4, 4, 0],
    [4, null, 0],
  ])('a list of %i accounts with a total of %j gives %i problems without an account', async (listed, total, count) => {
    const accounts = Array.from({ length: listed }, (_, index) => ({ wire: wireAccount({ id: 20417 + index }) }));
    global.serve(accounts, (reply, request) =>
      isList(request) ? { body: { accounts: accounts.map(({ wire }) => wire), total } } : reply,
    );
    const { problems } = await global.snapshot({ covered: KNOWN });
    const message = 'The provider lists 4 of its 6 accounts. The others were not updated.';
    expect(problems).toEqual([{ kind: 'data_incomplete', message }].slice(0, count));
  });

  it.each(['many', {}])('an unreadable total of the account list (%j) is reported', async (total) => {
    global.serve([{ wire: wireAccount() }], (reply, request) =>
      isList(request) ? { body: { accounts: [wireAccount()], total } } : reply,
    );
    const { accounts, problems } = await global.snapshot({ covered: KNOWN });
    expect(accounts).toMatchObject([{ covered: [{ until: TODAY }] }]);
    expect(problems).toMatchObject([{ kind: 'unexpected_reply', message: expect.stringMatching(/\$\.total/) }]);
  });

  it.each(['brand_new_upstream', null, 7])('an account of any upstream provider is read: %j', async (provider) => {
    const { accounts, problems } = await of([{ wire: wireAccount({ provider }) }]);
    expect([accounts.length, problems]).toEqual([1, []]);
  });

  it.each([
    ['Livret A', 'gocardless', 'depository'],
    ['Platinum Card', 'finverse', 'credit_card'],
    ['Self-directed', 'snaptrade', 'investment'],
    ['Account 7780', 'gocardless', null],
  ])('an account named %s from the upstream provider %s is suggested as type %j', async (name, provider, type) => {
    const { accounts } = await of([{ wire: wireAccount({ name, provider }) }]);
    expect(accounts[0]?.suggestedType).toBe(type);
  });

  it('the reported sign of a debt is kept for the balance engine', async () => {
    const { accounts } = await of([{ wire: wireAccount({ name: 'Platinum Card' }), balance: wireBalance(-318.05) }]);
    expect(accounts[0]?.balance?.amountMinor).toBe(-31805);
  });

  it('reversed signs are returned as they are reported', async () => {
    const rows = (sign: number) => [wireTransaction('T-1', '2026-03-12', sign * -54.9)];
    const [before, after] = [
      await of([{ wire: wireAccount(), transactions: rows(1) }]),
      await of([{ wire: wireAccount(), transactions: rows(-1) }]),
    ];
    expect([before, after].map(({ accounts }) => accounts[0]!.transactions)).toMatchObject([
      [{ externalId: 'T-1', amountMinor: -5490 }],
      [{ externalId: 'T-1', amountMinor: 5490 }],
    ]);
  });

  it('URLs that a response names are never requested', async () => {
    const trap = `${global.server.url}/trap`;
    await of([
      {
        wire: wireAccount({ institution_logo: trap, provider: trap }),
        transactions: [wireTransaction('T', '2026-03-12', -1, { description: trap })],
      },
    ]);
    expect(global.server.requests.filter(({ path }) => path === '/trap')).toEqual([]);
  });

  it('accounts with the oldest data are fetched first', async () => {
    const ids = [20417, 20418, 20419, 20420];
    const covered = storedUntil({ 20417: '2026-03-14', 20418: '2026-01-02', 20420: '2026-03-14' });
    await of(
      ids.map((id) => ({ wire: wireAccount({ id }) })),
      { covered },
    );
    const asked = global.server.requests.filter(isFor('balance')).map(({ path }) => Number(path.split('/').at(-2)));
    expect(asked).toEqual([20419, 20418, 20417, 20420]);
  });

  it('each account is delivered before the next one is fetched', async () => {
    global.serve([20417, 20418].map((id) => ({ wire: wireAccount({ id }) })));
    const told: [string, boolean][] = [];
    const isAsked = () => global.server.requests.some(isFor('balance', 20418));
    await global.snapshot({ onAccount: ({ externalId }) => told.push([externalId, isAsked()]) });
    expect(told).toEqual([
      ['20417', false],
      ['20418', true],
    ]);
  });

  describe('holdings in a snapshot', () => {
    const holdingsOf = async (account: Partial<FakeAccount>, request: Partial<SnapshotRequest> = {}) =>
      (await of([{ wire: wireAccount(), ...account }], request)).accounts[0]!.holdings;
    const asked = () => global.server.requests.filter(isFor('holdings')).length;

    const OWN_WORDS = { error: 'Not Found', message: 'No holdings.' };
    const refused = (reply: ScriptedReply, holdingsSupported: boolean | null) => {
      global.serve([{ wire: wireAccount() }], (usual, request) => (isFor('holdings')(request) ? reply : usual));
      const known = { ...IN_EUROS, holdingsSupported };
      return global.snapshot({ covered: KNOWN, knownAccounts: new Map([['20417', known]]) });
    };

    it.each([
      [501, ''],
      [404, OWN_WORDS],
    ])('holdings are unavailable after one response with status %i, without a problem', async (status, body) => {
      const { accounts, problems } = await refused({ status, body }, null);
      expect([accounts[0]?.holdings, problems]).toEqual([{ status: 'unavailable' }, []]);
      expect(asked()).toBe(1);
    });

    it.each([
      [501, OWN_WORDS, true],
      [404, OWN_WORDS, true],
      [404, '<html>Not found</html>', false],
      [404, '{}', null],
    ])('holdings fail with %i and %j if the account had some (%j) or a proxy answers', async (status, body, had) => {
      const { accounts, problems } = await refused({ status, body }, had);
      expect(accounts[0]?.holdings).toEqual({ status: 'unknown' });
      const message = `The provider does not find the holdings (status ${status}). The holdings were not updated.`;
      expect(problems).toEqual([{ kind: 'unexpected_reply', message, accountExternalId: '20417' }]);
    });

    it('holdings are not requested if they are known to be unavailable', async () => {
      expect(await holdingsOf({}, { withoutHoldings: new Set(['20417']) })).toEqual({ status: 'unknown' });
      expect(asked()).toBe(0);
    });

    it('an empty list of holdings with a total of zero is an empty portfolio', async () => {
      const empty = { status: 'available', items: [], total: { amountMinor: 0, currency: 'EUR' } };
      expect(await holdingsOf({ holdings: wireHoldings([], 0) })).toEqual(empty);
    });

    it('holdings are unknown and reported if one of them is unreadable', async () => {
      const { accounts, problems } = await of([{ wire: wireAccount(), holdings: wireHoldings([{ quantity: 1 }]) }]);
      expect(accounts[0]!.holdings).toEqual({ status: 'unknown' });
      expect(problems).toMatchObject([{ kind: 'unexpected_reply', accountExternalId: '20417' }]);
    });
  });

  it('an aborted snapshot fails with the abort reason', async () => {
    const reason = new Error('enough');
    const controller = new AbortController();
    global.serve([{ wire: wireAccount() }], (reply, request) => {
      if (!isList(request)) controller.abort(reason);
      return reply;
    });
    await expect(global.snapshot({ signal: controller.signal })).rejects.toBe(reason);
  });
});
