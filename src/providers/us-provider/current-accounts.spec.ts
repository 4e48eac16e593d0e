import {
  isForTransactions,
  knownAccount,
  noon,
  type ScriptedUsProvider,
  startScriptedUsProvider,
  TODAY,
  wireAccount,
  wireSet,
  wireTransaction,
} from '../../../test/support/scripted-us-provider.js';
import { addDays } from '../../platform/time/calendar-date.js';
import type { KnownAccount } from '../bank-provider.js';
import { AccountIds } from './account-ids.js';
import type { WireAccount } from './payload.js';
import { storedUntil } from '../../../test/support/scripted-server.js';

const KNOWN = storedUntil({ 'ACT-1': '2026-03-14', 'ACT-2': '2026-03-14' });
const FUND = { id: 'HOL-2', currency: '', symbol: 'BNDX', description: 'BOND ETF', shares: '1', market_value: '9.00' };
const LOT = { id: 'HOL-1', currency: '', symbol: 'NQTX', description: 'INDEX ETF', shares: '2', market_value: '50.00' };
const ROW = wireTransaction('T-1', '2026-03-12', '-1.00');

describe('the balances-only request', () => {
  let us: ScriptedUsProvider;

  beforeEach(async () => {
    us = await startScriptedUsProvider();
  });
  afterEach(() => us.server.stop());

  /** What is made of an answer to the request for balances, and one to the newest window. */
  async function snapshot(balances: object, newest: object) {
    us.server.play((request) => ({ body: isForTransactions(request) ? newest : balances }));
    return us.snapshot({ covered: KNOWN });
  }

  it('current balances are requested without dates, because a dated request may return an old balance', async () => {
    us.server.play(({ query }) => {
      const isDated = query.has('start-date') || query.has('end-date');
      // As with a server that answers a dated request with the balance of an old day under today's date.
      return {
        body: wireSet([wireAccount({ balance: isDated ? '1.00' : '100.00', transactions: isDated ? [ROW] : [] })]),
      };
    });
    const { accounts } = await us.snapshot({ historyFrom: '2026-01-01' });
    expect(us.windows()).toHaveLength(2);
    expect(accounts[0]).toMatchObject({
      balance: { amountMinor: 10000 },
      covered: [{ until: TODAY }],
      transactions: [{}],
    });
  });

  it('holdings and transactions come from the newest window, not from the empty lists beside the current balances', async () => {
    us.server.play(({ query }) => {
      const isNewest = query.has('start-date') && !query.has('end-date');
      const lists = isNewest ? { holdings: [LOT], transactions: [ROW] } : { holdings: [], transactions: [] };
      return { body: wireSet([wireAccount({ name: 'Brokerage', ...lists })]) };
    });
    const { accounts } = await us.snapshot({ historyFrom: '2026-01-01' });
    expect(us.windows()).toHaveLength(2);
    expect(accounts[0]).toMatchObject({ holdings: { items: [{ symbol: 'NQTX' }] }, transactions: [{}] });
  });

  it('an account that only the balances-only response lists has unknown holdings, no transactions and is not complete', async () => {
    const account = wireAccount({ id: 'ACT-2', name: 'Brokerage', balance: '7.00' });
    const { accounts } = await snapshot(wireSet([wireAccount(), account]), wireSet([wireAccount()]));
    expect(accounts[1]).toMatchObject({
      externalId: 'ACT-2',
      balance: { amountMinor: 700 },
      holdings: { status: 'unknown' },
      transactions: [],
      covered: [],
    });
  });

  it('an account that only the newest window lists takes its balance from that window', async () => {
    const { accounts } = await snapshot(wireSet([]), wireSet([wireAccount({ balance: '7.00' })]));
    expect(accounts).toMatchObject([{ balance: { amountMinor: 700 }, covered: [{ until: TODAY }] }]);
  });

  it('the balance in the newest window is used if the bank was refreshed after the balances-only request', async () => {
    const yesterday = wireAccount({ 'balance-date': noon(addDays(TODAY, -1)) });
    const refreshed = wireAccount({ balance: '99.00', transactions: [ROW] });
    const { accounts } = await snapshot(wireSet([yesterday]), wireSet([refreshed]));
    expect(accounts).toMatchObject([{ balance: { amountMinor: 9900, date: TODAY } }]);
  });

  it('transactions and holdings in the balances-only response are ignored', async () => {
    const old = wireAccount({ transactions: [wireTransaction('T-0', '2026-03-12', '-9.00')], holdings: [LOT] });
    const { accounts } = await snapshot(wireSet([old]), wireSet([wireAccount({ transactions: [ROW] })]));
    expect(accounts[0]).toMatchObject({ transactions: [{ externalId: 'T-1' }], holdings: { status: 'unavailable' } });
  });

  it('an account that the balances-only response reports as failed is not complete', async () => {
    const errlist = [{ code: 'act.failed', msg: 'Try later.', account_id: 'ACT-1' }];
    const { accounts, problems } = await snapshot(wireSet([wireAccount()], { errlist }), wireSet([wireAccount()]));
    expect(accounts[0]).toMatchObject({ covered: [] });
    expect(problems).toMatchObject([{ kind: 'account_failed', accountExternalId: 'ACT-1' }]);
  });

  it('an account that is invalid in the newest window is left out even if the balances-only response lists it', async () => {
    const odd = wireAccount({ id: 'ACT-2', transactions: 'none' });
    const { accounts, problems } = await snapshot(
      wireSet([wireAccount(), wireAccount({ id: 'ACT-2' })]),
      wireSet([wireAccount(), odd]),
    );
    expect(accounts.map(({ externalId }) => externalId)).toEqual(['ACT-1']);
    expect(problems).toMatchObject([{ kind: 'unexpected_reply', accountExternalId: 'ACT-2' }]);
  });
});

describe('accounts that one response lists more than once', () => {
  let us: ScriptedUsProvider;

  beforeEach(async () => {
    us = await startScriptedUsProvider();
  });
  afterEach(() => us.server.stop());

  const checking = wireAccount({ name: 'Checking A', transactions: [ROW], holdings: [LOT] });
  const other = wireAccount({ id: 'ACT-2' });

  it.each([
    ['name', { name: 'Savings B' }, '“Checking A” and “Savings B”'],
    ['currency', { currency: 'EUR' }, '“Checking A”'],
    ['balance', { balance: '200.00' }, '“Checking A”'],
    ['list of holdings', { holdings: [{ ...LOT, shares: '3' }] }, '“Checking A”'],
    ['name and balance', { name: 'Savings B', balance: '200.00' }, '“Checking A” and “Savings B”'],
  ])('an account listed twice with a different %s is left out and reported', async (what, facts, names) => {
    us.server.play({ body: wireSet([checking, wireAccount({ name: 'Checking A', ...facts }), other]) });
    const { accounts, problems } = await us.snapshot({ covered: KNOWN });
    expect(accounts.map(({ externalId, covered }) => [externalId, covered.length])).toEqual([['ACT-2', 1]]);
    const message =
      `The provider lists one account more than once, each time with another ${what}: ${names}. ` +
      'What it says of that account was left out.';
    expect(problems).toEqual([{ kind: 'unexpected_reply', accountExternalId: 'ACT-1', message }]);
  });

  it('an account listed twice with different names is the only problem if no other account is listed', async () => {
    us.server.play({ body: wireSet([checking, wireAccount({ name: 'Savings B' })]) });
    const { accounts, problems } = await us.snapshot();
    expect(accounts).toEqual([]);
    expect(problems.map(({ accountExternalId }) => accountExternalId)).toEqual(['ACT-1']);
  });

  it('an account that the balances-only response lists twice with different balances is left out', async () => {
    const twice = [wireAccount(), wireAccount({ balance: '200.00' })];
    us.server.play((request) => ({ body: wireSet(isForTransactions(request) ? [wireAccount()] : twice) }));
    const { accounts, problems } = await us.snapshot({ covered: KNOWN });
    expect([accounts, problems.length]).toEqual([[], 1]);
  });

  it('an account that an older window lists twice with different names gets no transactions from it and lacks its days', async () => {
    const twice = [checking, wireAccount({ name: 'Savings B', transactions: [ROW] })];
    us.server.play(({ query }) => ({ body: wireSet(query.has('end-date') ? twice : [wireAccount()]) }));
    const { accounts, problems } = await us.snapshot({ historyFrom: '2026-01-01' });
    const newest = [{ from: '2026-01-31', until: TODAY }];
    expect(accounts).toMatchObject([{ covered: newest, transactions: [], balance: { amountMinor: 10000 } }]);
    expect(problems).toMatchObject([{ kind: 'unexpected_reply', accountExternalId: 'ACT-1' }]);
  });

  it.each([
    [
      'in another order, with other ids',
      [
        { ...FUND, shares: '1.0', id: 'HOL-9' },
        { ...LOT, id: 'HOL-8' },
      ],
    ],
    ['in only one of the two listings', []],
  ])('an account listed twice with the same holdings %s is merged into one', async (_, holdings) => {
    const full = wireAccount({ name: 'Brokerage', holdings: [LOT, FUND] });
    us.server.play({ body: wireSet([wireAccount({ name: 'Brokerage', holdings }), full]) });
    const { accounts, problems } = await us.snapshot({ covered: KNOWN });
    expect(problems).toEqual([]);
    expect(accounts).toMatchObject([{ holdings: { status: 'available' } }]);
    expect(accounts[0]!.holdings).toHaveProperty('items.length', 2);
  });

  it('an account listed twice is merged into one if the data differ only in notation or in the time of the balance', async () => {
    const same = wireAccount({ name: ' Checking  A', currency: 'usd', balance: 100 });
    const newer = wireAccount({ name: 'Checking A', balance: '90.00', 'balance-date': noon(TODAY) + 60 });
    us.server.play({ body: wireSet([checking, same, newer]) });
    const { accounts, problems } = await us.snapshot({ covered: KNOWN });
    expect(accounts).toMatchObject([
      { covered: [{ until: TODAY }], balance: { amountMinor: 9000 }, transactions: [{}] },
    ]);
    expect(problems).toEqual([]);
  });
});

function idsOf(accounts: object[], known: Record<string, string> = {}, more: Partial<KnownAccount> = {}): string[] {
  const stored = Object.entries(known).map(
    ([id, name]) => [id, knownAccount({ name, institution: 'a.example', ...more })] as const,
  );
  const wires = accounts as WireAccount[];
  return [...new AccountIds(wires, new Map(), new Map(stored)).group(wires).keys()];
}

describe('AccountIds', () => {
  it('an account id that is unique within its credential is used unchanged', () => {
    expect(
      idsOf([
        { id: 'Demo Savings', conn_id: 'CON-1' },
        { id: 'ACT-2', conn_id: 'CON-1' },
      ]),
    ).toEqual(['Demo Savings', 'ACT-2']);
  });

  it('an account id that two logins use is prefixed with the login id for both accounts', () => {
    const [first, second] = [
      { id: '1', conn_id: 'CON-1' },
      { id: '1', conn_id: 'CON-2' },
    ];
    expect(idsOf([first, second])).toEqual(['CON-1/1', 'CON-2/1']);
    expect(idsOf([second, first])).toEqual(['CON-2/1', 'CON-1/1']);
  });

  it('an account id that several institutions use in protocol v1 is prefixed with the institution', () => {
    const accounts = [
      { id: '1', org: { domain: 'a.example', name: 'Bank' } },
      { id: '1', org: { name: 'Bank' } },
      { id: '1', org: { id: 'INST-1', domain: 'a.example' } },
    ];
    expect(idsOf(accounts)).toEqual(['a.example/1', 'Bank/1', 'INST-1/1']);
  });

  it('an account id that two institutions use is prefixed with the institution if the login has no id', () => {
    const accounts = ['a.example', 'b.example'].map((domain) => ({ id: '1', conn_id: '', org: { domain } }));
    expect(idsOf(accounts)).toEqual(['a.example/1', 'b.example/1']);
  });

  it('an account listed twice under one login gets one id', () => {
    const account = { id: '1', conn_id: 'CON-1' } as WireAccount;
    expect(new AccountIds([account]).group([account, account])).toEqual(new Map([['1', [account, account]]]));
  });

  describe('AccountIds with stored accounts', () => {
    const login = (conn_id: string, domain: string, name = 'Checking') => ({ id: '1', conn_id, name, org: { domain } });
    const first = login('CON-1', 'a.example');
    const second = login('CON-2', 'b.example');

    it('an account stored with a login prefix keeps it even if the other login is not listed', () => {
      expect(idsOf([second], { 'CON-1/1': '', 'CON-2/1': '' })).toEqual(['CON-2/1']);
    });

    it('an account stored without a prefix keeps its id if the same id at another login has another bank or account name', () => {
      expect(idsOf([second, first], { 1: 'Savings' })).toEqual(['CON-2/1', '1']);
      expect(idsOf([login('CON-2', 'a.example', 'Card'), first], { 1: 'Checking' })).toEqual(['CON-2/1', '1']);
      expect(idsOf([second, first], { 1: '', 'CON-2/1': '' })).toEqual(['CON-2/1', '1']);
    });

    it('an account stored without a prefix is not matched to the same id at another bank under another account name', () => {
      expect(idsOf([second], { 1: 'Savings' })).toEqual(['CON-2/1']);
      expect(idsOf([second], { 1: 'Checking' })).toEqual(['1']);
      expect(idsOf([first], { 1: 'Savings' })).toEqual(['1']);
      expect(idsOf([second], { 1: 'Savings' }, { institution: null })).toEqual(['1']);
      expect(idsOf([second], { 1: 'Mine' }, { nameChosen: true })).toEqual(['1']);
    });

    it('an account stored without a prefix gives way to two prefixed ids if it matches the accounts of both logins', () => {
      expect(idsOf([login('CON-2', 'a.example'), first], { 1: 'Checking' })).toEqual(['CON-2/1', 'CON-1/1']);
    });
  });
});
