import {
  type FakeAccount,
  isFor,
  type ScriptedGlobalProvider,
  startScriptedGlobalProvider,
  TODAY,
  wireAccount,
  wireBalance,
  wireHolding,
  wireHoldings,
  wirePage,
  wireTransaction,
} from '../../../test/support/scripted-global-provider.js';
import { type Fault, type ScriptedAnswer, storedUntil } from '../../../test/support/scripted-server.js';

const IDS = [20417, 20418, 20419];
const KNOWN = storedUntil(Object.fromEntries(IDS.map((id) => [id, '2026-03-14'])));
const ROW = wireTransaction('T-1', '2026-03-12', -54.9);

describe('partially valid responses of the global provider', () => {
  let global: ScriptedGlobalProvider;

  beforeEach(async () => {
    global = await startScriptedGlobalProvider();
  });
  afterEach(() => global.server.stop());

  /** Three accounts; what is wrong concerns the second one. */
  async function three(fault: Fault, second: Partial<FakeAccount> = {}) {
    const accounts = IDS.map((id) => ({ wire: wireAccount({ id }), transactions: [ROW] }));
    global.serve([accounts[0]!, { ...accounts[1]!, ...second }, accounts[2]!], fault);
    const snapshot = await global.snapshot({ covered: KNOWN });
    const [first, troubled, last] = snapshot.accounts;
    for (const account of [first, last]) {
      expect(account).toMatchObject({
        covered: [{ until: TODAY }],
        balance: { amountMinor: 10000 },
        transactions: [{}],
      });
    }
    return { account: troubled!, problems: snapshot.problems };
  }

  const on =
    (answer: ScriptedAnswer, ...parts: ('balance' | 'transactions' | 'holdings')[]): Fault =>
    (reply, request) =>
      parts.some((part) => isFor(part, 20418)(request)) ? answer : reply;

  const EVERYTHING = ['balance', 'transactions', 'holdings'] as const;

  it.each([
    [
      'refused with 403',
      { status: 403, body: { error: 'Forbidden' } },
      'account_failed',
      /refuses access \(status 403\)/,
    ],
    ['refused with 401', { status: 401 }, 'account_failed', /refuses access \(status 401\)/],
    ['not found', { status: 404 }, 'account_failed', /no longer gives access.*Account Access/],
    ['not offered', { status: 501 }, 'unexpected_reply', /does not offer this/],
    [
      'redirected',
      { status: 308, headers: { Location: 'https://evil.test' } },
      'unexpected_reply',
      /follows no redirects/,
    ],
    ['an error 500', { status: 500 }, 'network', /not working at the moment \(status 500\)/],
    ['an HTML page', { body: '<html>Sorry</html>' }, 'unexpected_reply', /is a web page/],
    ['cut off', { body: '{"transactions":[{"id"' }, 'unexpected_reply', /is cut off or damaged/],
    ['empty', { body: '' }, 'unexpected_reply', /is empty/],
    ['a bare list', { body: [] }, 'unexpected_reply', /not as expected at \$/],
  ] as const)(
    'a transactions response that is %s (%j) does not affect the balance or the other accounts',
    async (_, answer, kind, words) => {
      const { account, problems } = await three(on(answer, 'transactions'));
      expect(account).toMatchObject({
        covered: [],
        transactions: [],
        balance: { amountMinor: 10000 },
      });
      expect(problems).toMatchObject([{ kind, accountExternalId: '20418', message: expect.stringMatching(words) }]);
      expect(problems[0]?.message).toMatch(/The transactions were not updated\.$/);
    },
  );

  it('a balance that cannot be fetched is not updated, and the transactions are still fetched', async () => {
    const { account, problems } = await three(on('reset', 'balance'));
    expect(account).toMatchObject({
      covered: [{ until: TODAY }],
      balance: null,
      currency: 'EUR',
      transactions: [{ externalId: 'T-1' }],
    });
    expect(problems).toMatchObject([
      { kind: 'network', message: expect.stringMatching(/The balance was not updated\.$/) },
    ]);
  });

  it('transactions that name another account are left out and reported', async () => {
    const [strange, own] = ['T-2', 'T-3'].map((id, index) =>
      wireTransaction(id, '2026-03-10', -1234.56, index === 0 ? { accountId: 999999 } : { account_id: ' 20418' }),
    );
    const { account, problems } = await three((reply) => reply, { transactions: [ROW, strange!, own!] });
    expect(account).toMatchObject({
      covered: [{ until: TODAY }],
      transactions: [{ externalId: 'T-1' }, { externalId: 'T-3' }],
    });
    expect(problems.map(({ message }) => message)).toEqual([
      '1 transaction came with the id of another account and was left out.',
    ]);
  });

  it('an account is not complete if all its transactions name another account', async () => {
    const others = ['T-2', 'T-3'].map((id) => wireTransaction(id, '2026-03-10', -5, { accountId: 20417 }));
    const { account } = await three((reply) => reply, { transactions: others });
    expect(account).toMatchObject({ covered: [], transactions: [] });
  });

  it('an account whose balance and transactions both fail is reported once and its holdings are not requested', async () => {
    const { account, problems } = await three(on({ status: 404 }, ...EVERYTHING));
    expect(account).toMatchObject({ covered: [], balance: null, holdings: { status: 'unknown' } });
    expect(problems).toHaveLength(1);
    expect(problems[0]?.message).toMatch(/The balance and transactions were not updated\.$/);
    expect(global.server.requests.filter(isFor('holdings', 20418))).toEqual([]);
  });

  it('holdings that fail with 401 are unknown and reported, not unavailable', async () => {
    const { account, problems } = await three(on({ status: 401 }, 'holdings'));
    expect(account.holdings).toEqual({ status: 'unknown' });
    expect(problems).toMatchObject([
      { kind: 'account_failed', message: expect.stringMatching(/The holdings were not updated\.$/) },
    ]);
  });

  describe('failures of single banks', () => {
    /** Two accounts at each of four banks. */
    const BANKS = ['A', 'B', 'C', 'D'].flatMap((bank) => [`${bank}1`, `${bank}2`]);
    const LIMITED: ScriptedAnswer = { status: 429, headers: { 'Retry-After': '900' } };

    /** Of what fails at all, every request fails. @returns which accounts are complete, and how often the others were asked */
    async function failing(isFailing: (id: string) => boolean, answer: ScriptedAnswer) {
      const accounts = BANKS.map((id) => ({ wire: wireAccount({ id, institution_name: id[0] }), transactions: [ROW] }));
      const idOf = (path: string) => /accounts\/(\w+)\//.exec(path)?.[1] ?? '';
      global.serve(accounts, (reply, { path }) => (idOf(path) && isFailing(idOf(path)) ? answer : reply));
      const covered = storedUntil(
        Object.fromEntries(BANKS.map((id) => [id, isFailing(id) ? '2026-03-01' : '2026-03-14'])),
      );
      const snapshot = await global.snapshot({ covered });
      const asked = global.server.requests.map(({ path }) => idOf(path)).filter((id) => id && isFailing(id));
      const complete = snapshot.accounts.filter((account) => account.covered.length > 0);
      return { snapshot, asked, complete: complete.map(({ externalId }) => externalId) };
    }

    it('all other banks are fetched if one bank fails with connection resets', async () => {
      const { snapshot, asked, complete } = await failing((id) => id.startsWith('A'), 'reset');
      expect(complete).toEqual(['B1', 'B2', 'C1', 'C2', 'D1', 'D2']);
      expect(snapshot.problems.map(({ kind, accountExternalId }) => [kind, accountExternalId])).toEqual([
        ['network', 'A1'],
        ['network', 'A2'],
      ]);
      // Three requests, each four times.
      expect(asked).toHaveLength(12);
    });

    it('all other banks are fetched if two banks fail with connection resets', async () => {
      const { complete } = await failing((id) => /^[AB]/.test(id), 'reset');
      expect(complete).toEqual(['C1', 'C2', 'D1', 'D2']);
    });

    it('the provider gets no more requests in a sync once accounts of three banks in a row failed', async () => {
      const { asked } = await failing(() => true, { status: 503 });
      expect(new Set(asked)).toEqual(new Set(['A1', 'A2', 'B1', 'B2', 'C1']));
      expect(asked).toHaveLength(28);
    });

    it('all other banks are fetched if the accounts of one bank are rate limited', async () => {
      const { snapshot, asked, complete } = await failing((id) => id.startsWith('A'), LIMITED);
      expect(complete).toEqual(['B1', 'B2', 'C1', 'C2', 'D1', 'D2']);
      expect(asked).toEqual(['A1', 'A2']);
      expect(snapshot.retryAfterSeconds).toBe(900);
    });

    it('all remaining accounts are rate limited once accounts of two banks are', async () => {
      const { snapshot, asked } = await failing((id) => /1$/.test(id), LIMITED);
      expect(asked).toEqual(['A1', 'B1']);
      expect(snapshot.problems.map(({ kind, accountExternalId }) => [kind, accountExternalId])).toEqual(
        BANKS.map((id) => ['rate_limited', id]),
      );
    });
  });

  it.each([
    ['a 429 with a long Retry-After', { status: 429, headers: { 'Retry-After': '900' } }, 900],
    ['a 403 page of a front end', { status: 403, body: '<html>Sorry</html>' }, 3_600],
  ])('%s ends the requests for its account, and at a second account all requests', async (_, answer, seconds) => {
    const accounts = IDS.map((id) => ({ wire: wireAccount({ id }), transactions: [ROW] }));
    global.serve(accounts, on(answer, 'transactions'));
    const snapshot = await global.snapshot({ covered: KNOWN });
    expect(snapshot.accounts.map(({ covered }) => covered.length)).toEqual([1, 0, 1]);
    expect(snapshot.problems).toMatchObject([{ kind: 'rate_limited', accountExternalId: '20418' }]);
    expect(global.server.requests.filter(isFor('holdings', 20418))).toEqual([]);
    expect(snapshot.retryAfterSeconds).toBe(seconds);
    global.serve(accounts, (reply, { path }) => (path.endsWith('accounts') ? reply : answer));
    const asked = global.server.requests.length;
    await global.snapshot({ covered: KNOWN });
    expect(global.server.requests.slice(asked).map(({ path }) => path.split('/').at(-2))).toEqual([
      'v1',
      '20417',
      '20418',
    ]);
  });

  it('a provider that stops responding gets no more requests after three failed ones', async () => {
    const accounts = IDS.map((id) => ({ wire: wireAccount({ id }), transactions: [ROW] }));
    global.serve(accounts, (reply, { path }) =>
      path.includes('20417') || path.endsWith('accounts') ? reply : 'reset',
    );
    const { accounts: told, problems } = await global.snapshot({ covered: KNOWN });
    expect(told.map(({ covered }) => covered.length)).toEqual([1, 0, 0]);
    expect(problems.map(({ kind, accountExternalId }) => [kind, accountExternalId])).toEqual([
      ['network', '20418'],
      ['network', '20419'],
    ]);
    // Three of them, each four times.
    expect(
      global.server.requests.filter(({ path }) => !path.includes('20417') && !path.endsWith('accounts')),
    ).toHaveLength(12);
  });

  it.each(['DISCONNECTED', 'ERROR', 'INACTIVE', 'something new'])(
    'an account with the status %s gets its transactions but no balance, and is not complete',
    async (status) => {
      const { account, problems } = await three((reply) => reply, { wire: wireAccount({ id: 20418, status }) });
      expect(account).toMatchObject({ balance: null, covered: [], transactions: [{}] });
      expect(problems).toMatchObject([{ kind: 'account_failed', accountExternalId: '20418' }]);
      expect(problems[0]?.message).toContain(`“${status}”). Renew the access at the provider; what is known stays`);
      expect(global.server.requests.filter(isFor('balance', 20418))).toEqual([]);
    },
  );

  it('an account that is active again after a gap is fetched from before its last complete day', async () => {
    global.serve([{ wire: wireAccount(), transactions: [ROW] }]);
    const covered = storedUntil({ 20417: '2025-12-20' });
    const { accounts } = await global.snapshot({ covered, historyFrom: '2024-03-15' });
    expect(global.windows()).toEqual([['2025-11-20', null]]);
    expect(accounts[0]).toMatchObject({ covered: [{ from: '2025-11-20', until: TODAY }] });
  });

  it('an account with nothing but an id is read', async () => {
    const bare = { wire: { id: 20418 }, balance: wireBalance(5, 'GBP'), transactions: [ROW] };
    const { account, problems } = await three((reply) => reply, bare);
    expect(account).toMatchObject({
      name: 'Unnamed account',
      institution: null,
      currency: 'GBP',
      covered: [{ until: TODAY }],
    });
    expect(problems).toEqual([]);
  });

  it('an account in an unexpected format is left out and its JSON path is reported', async () => {
    global.serve([{ wire: wireAccount({ institution_name: ['a bank'] }) }, { wire: wireAccount({ id: 20418 }) }]);
    const { accounts, problems } = await global.snapshot();
    expect(accounts.map(({ externalId }) => externalId)).toEqual(['20418']);
    expect(problems).toMatchObject([{ kind: 'unexpected_reply', accountExternalId: '20417' }]);
    expect(problems[0]?.message).toMatch(/\$\.accounts\[0\]\.institution_name: /);
  });

  it('unreadable transactions are left out and counted in a problem', async () => {
    const transactions = [
      ...[ROW, wireTransaction('T-2', '2026-03-11', -1), wireTransaction('T-3', '2026-03-10', -1)],
      ...[wireTransaction(null, '2026-03-12', -1), wireTransaction('T-4', '2026-03-12', -1, { currency: 'points' })],
    ];
    const { account, problems } = await three((reply) => reply, { transactions });
    expect(account.transactions.map(({ externalId }) => externalId)).toEqual(['T-1', 'T-2', 'T-3']);
    expect(account.covered).toHaveLength(1);
    expect(problems).toMatchObject([{ kind: 'unexpected_reply', accountExternalId: '20418' }]);
    expect(problems[0]?.message).toMatch(/^2 transactions .* were left out\.$/);
  });

  it('transactions without a date or an amount, or that are not objects, are left out and counted', async () => {
    const page = wirePage([
      ROW,
      wireTransaction('T-2', null, -1),
      wireTransaction('T-3', '2026-03-12', null),
      7,
      null,
    ] as object[]);
    const { account, problems } = await three(on({ body: page }, 'transactions'));
    expect(account.transactions).toHaveLength(1);
    expect(account).toMatchObject({ covered: [] });
    expect(problems[0]?.message).toMatch(/^4 transactions .* were left out\.$/);
  });

  it.each([
    [{ balance: null }, /balance was not updated/],
    [{ balance: {} }, /balance was not updated/],
    [{ balance: { amount: null, currency: 'EUR' } }, /balance was not updated/],
    [{ balance: { amount: ' ', currency: 'EUR' } }, /balance was not updated/],
    [{ balance: { amount: 'n/a', currency: 'EUR' } }, /balance could not be read/],
    [{ balance: { amount: '1000000000000.01', currency: 'EUR' } }, /larger than Tidemark can keep exactly/],
    [{}, /not as expected at \$\.balance/],
    [{ balance: { amount: { value: 1 } } }, /not as expected at \$\.balance/],
  ])('the balance response %j gives an unknown balance, not zero', async (balance, words) => {
    const { account, problems } = await three((reply) => reply, { balance });
    expect(account).toMatchObject({ balance: null, currency: 'EUR', covered: [{ until: TODAY }] });
    expect(problems).toMatchObject([{ accountExternalId: '20418', message: expect.stringMatching(words) }]);
  });

  it('a balance whose available amount is unreadable is kept', async () => {
    const { account, problems } = await three((reply) => reply, {
      balance: { balance: { amount: 100, available: {}, currency: 'EUR' } },
    });
    expect([account.balance, problems]).toMatchObject([{ amountMinor: 10000, availableMinor: null }, []]);
  });

  it.each([{}, 'n/a'])('holdings with an unreadable total (%j) are kept, and the total is reported', async (total) => {
    const { account, problems } = await three((reply) => reply, { holdings: wireHoldings([wireHolding()], total) });
    expect(account.holdings).toMatchObject({ status: 'available', items: [{}], total: null });
    expect(problems).toMatchObject([{ kind: 'unexpected_reply', message: expect.stringMatching(/total/) }]);
  });

  it('a holdings total in exponent notation is read', async () => {
    const { account, problems } = await three((reply) => reply, { holdings: wireHoldings([wireHolding()], '1.5E+5') });
    expect(account.holdings).toMatchObject({ total: { amountMinor: 15_000_000 } });
    expect(problems).toEqual([]);
  });

  it('holdings with a total above the limit are kept without it, and the total is reported', async () => {
    const { account, problems } = await three((reply) => reply, { holdings: wireHoldings([wireHolding()], '1E+15') });
    expect(account.holdings).toMatchObject({ status: 'available', items: [{}], total: null });
    expect(problems).toMatchObject([{ kind: 'amount_too_large', message: expect.stringMatching(/total/) }]);
  });
});
