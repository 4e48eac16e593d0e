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
} from '../../test/support/scripted-us-provider.js';
import { addDays } from '../time/calendar-date.js';
import type { KnownAccount } from '../bank-provider/bank-provider.js';
import { AccountIds } from './account-ids.js';
import type { WireAccount } from './payload.js';

const KNOWN = new Map(['ACT-1', 'ACT-2'].map((id) => [id, '2026-03-14']));
const FUND = { id: 'HOL-2', currency: '', symbol: 'BNDX', description: 'BOND ETF', shares: '1', market_value: '9.00' };
const LOT = { id: 'HOL-1', currency: '', symbol: 'NQTX', description: 'INDEX ETF', shares: '2', market_value: '50.00' };
const ROW = wireTransaction('T-1', '2026-03-12', '-1.00');

describe('the balances of today', () => {
  let us: ScriptedUsProvider;

  beforeEach(async () => {
    us = await startScriptedUsProvider();
  });
  afterEach(() => us.server.stop());

  /** What is made of an answer to the request for balances, and one to the newest window. */
  async function snapshot(balances: object, newest: object) {
    us.server.play((request) => ({ body: isForTransactions(request) ? newest : balances }));
    return us.snapshot({ completeUntil: KNOWN });
  }

  it('are fetched without a date, since a request with one may return those of that date', async () => {
    us.server.play(({ query }) => {
      const isDated = query.has('start-date') || query.has('end-date');
      // As with a server that answers a dated request with the balance of an old day under today's date.
      return {
        body: wireSet([wireAccount({ balance: isDated ? '1.00' : '100.00', transactions: isDated ? [ROW] : [] })]),
      };
    });
    const { accounts } = await us.snapshot({ historyFrom: '2026-01-01' });
    expect(us.windows()).toHaveLength(2);
    expect(accounts[0]).toMatchObject({ balance: { amountMinor: 10000 }, complete: true, transactions: [{}] });
  });

  it('come with the holdings of the newest window: their own empty lists mean nothing', async () => {
    us.server.play(({ query }) => {
      const isNewest = query.has('start-date') && !query.has('end-date');
      const lists = isNewest ? { holdings: [LOT], transactions: [ROW] } : { holdings: [], transactions: [] };
      return { body: wireSet([wireAccount({ name: 'Brokerage', ...lists })]) };
    });
    const { accounts } = await us.snapshot({ historyFrom: '2026-01-01' });
    expect(us.windows()).toHaveLength(2);
    expect(accounts[0]).toMatchObject({ holdings: { items: [{ symbol: 'NQTX' }] }, transactions: [{}] });
  });

  it('say nothing of the transactions and holdings of an account that the window does not list', async () => {
    const account = wireAccount({ id: 'ACT-2', name: 'Brokerage', balance: '7.00' });
    const { accounts } = await snapshot(wireSet([wireAccount(), account]), wireSet([wireAccount()]));
    expect(accounts[1]).toMatchObject({
      externalId: 'ACT-2',
      balance: { amountMinor: 700 },
      holdings: { status: 'unknown' },
      transactions: [],
      complete: false,
      coveredFrom: null,
    });
  });

  it('are those of the newest window, which has no end, for an account that only it lists', async () => {
    const { accounts } = await snapshot(wireSet([]), wireSet([wireAccount({ balance: '7.00' })]));
    expect(accounts).toMatchObject([{ balance: { amountMinor: 700 }, complete: true }]);
  });

  it('are those beside the transactions when the bank was refreshed between the two requests', async () => {
    const yesterday = wireAccount({ 'balance-date': noon(addDays(TODAY, -1)) });
    const refreshed = wireAccount({ balance: '99.00', transactions: [ROW] });
    const { accounts } = await snapshot(wireSet([yesterday]), wireSet([refreshed]));
    expect(accounts).toMatchObject([{ balance: { amountMinor: 9900, date: TODAY } }]);
  });

  it('bring no transactions even when a server sends some with them', async () => {
    const old = wireAccount({ transactions: [wireTransaction('T-0', '2026-03-12', '-9.00')], holdings: [LOT] });
    const { accounts } = await snapshot(wireSet([old]), wireSet([wireAccount({ transactions: [ROW] })]));
    expect(accounts[0]).toMatchObject({ transactions: [{ externalId: 'T-1' }], holdings: { status: 'unavailable' } });
  });

  it('report problems, too: an account that could not be read then is not complete', async () => {
    const errlist = [{ code: 'act.failed', msg: 'Try later.', account_id: 'ACT-1' }];
    const { accounts, problems } = await snapshot(wireSet([wireAccount()], { errlist }), wireSet([wireAccount()]));
    expect(accounts[0]).toMatchObject({ complete: false, coveredFrom: null });
    expect(problems).toMatchObject([{ kind: 'account_failed', accountExternalId: 'ACT-1' }]);
  });

  it('do not bring back an account that is invalid in the window', async () => {
    const odd = wireAccount({ id: 'ACT-2', transactions: 'none' });
    const { accounts, problems } = await snapshot(
      wireSet([wireAccount(), wireAccount({ id: 'ACT-2' })]),
      wireSet([wireAccount(), odd]),
    );
    expect(accounts.map(({ externalId }) => externalId)).toEqual(['ACT-1']);
    expect(problems).toMatchObject([{ kind: 'unexpected_reply', accountExternalId: 'ACT-2' }]);
  });
});

describe('an account that one answer lists more than once', () => {
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
  ])('with another %s is left out, which is said', async (what, facts, names) => {
    us.server.play({ body: wireSet([checking, wireAccount({ name: 'Checking A', ...facts }), other]) });
    const { accounts, problems } = await us.snapshot({ completeUntil: KNOWN });
    expect(accounts.map(({ externalId, complete }) => [externalId, complete])).toEqual([['ACT-2', true]]);
    const message =
      `The provider lists one account more than once, each time with another ${what}: ${names}. ` +
      'What it says of this account was left out.';
    expect(problems).toEqual([{ kind: 'unexpected_reply', accountExternalId: 'ACT-1', message }]);
  });

  it('and nothing else is left out, and no account counts as missing', async () => {
    us.server.play({ body: wireSet([checking, wireAccount({ name: 'Savings B' })]) });
    const { accounts, problems } = await us.snapshot();
    expect(accounts).toEqual([]);
    expect(problems.map(({ accountExternalId }) => accountExternalId)).toEqual(['ACT-1']);
  });

  it('with other facts by the request for balances alone is left out, too', async () => {
    const twice = [wireAccount(), wireAccount({ balance: '200.00' })];
    us.server.play((request) => ({ body: wireSet(isForTransactions(request) ? [wireAccount()] : twice) }));
    const { accounts, problems } = await us.snapshot({ completeUntil: KNOWN });
    expect([accounts, problems.length]).toEqual([[], 1]);
  });

  it('with other facts by an older window has no rows of it, and is not complete', async () => {
    const twice = [checking, wireAccount({ name: 'Savings B', transactions: [ROW] })];
    us.server.play(({ query }) => ({ body: wireSet(query.has('end-date') ? twice : [wireAccount()]) }));
    const { accounts, problems } = await us.snapshot({ historyFrom: '2026-01-01' });
    expect(accounts).toMatchObject([{ complete: false, transactions: [], balance: { amountMinor: 10000 } }]);
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
    ['once without any', []],
  ])('with the same holdings %s is one', async (_, holdings) => {
    const full = wireAccount({ name: 'Brokerage', holdings: [LOT, FUND] });
    us.server.play({ body: wireSet([wireAccount({ name: 'Brokerage', holdings }), full]) });
    const { accounts, problems } = await us.snapshot({ completeUntil: KNOWN });
    expect(problems).toEqual([]);
    expect(accounts).toMatchObject([{ holdings: { status: 'available' } }]);
    expect(accounts[0]!.holdings).toHaveProperty('items.length', 2);
  });

  it('with the same facts in another notation is one, as is one whose balance is of another moment', async () => {
    const same = wireAccount({ name: ' Checking  A', currency: 'usd', balance: 100 });
    const newer = wireAccount({ name: 'Checking A', balance: '90.00', 'balance-date': noon(TODAY) + 60 });
    us.server.play({ body: wireSet([checking, same, newer]) });
    const { accounts, problems } = await us.snapshot({ completeUntil: KNOWN });
    expect(accounts).toMatchObject([{ complete: true, balance: { amountMinor: 9000 }, transactions: [{}] }]);
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

describe('the id of an account within a credential', () => {
  it('is the provider’s own', () => {
    expect(
      idsOf([
        { id: 'Demo Savings', conn_id: 'CON-1' },
        { id: 'ACT-2', conn_id: 'CON-1' },
      ]),
    ).toEqual(['Demo Savings', 'ACT-2']);
  });

  it('names the login where two logins use the same id, for both, so that neither takes the other’s place', () => {
    const [first, second] = [
      { id: '1', conn_id: 'CON-1' },
      { id: '1', conn_id: 'CON-2' },
    ];
    expect(idsOf([first, second])).toEqual(['CON-1/1', 'CON-2/1']);
    expect(idsOf([second, first])).toEqual(['CON-2/1', 'CON-1/1']);
  });

  it('names the institution in the older dialect by whatever it reports', () => {
    const accounts = [
      { id: '1', org: { domain: 'a.example', name: 'Bank' } },
      { id: '1', org: { name: 'Bank' } },
      { id: '1', org: { id: 'INST-1', domain: 'a.example' } },
    ];
    expect(idsOf(accounts)).toEqual(['a.example/1', 'Bank/1', 'INST-1/1']);
  });

  it('names the institution where the login has no name', () => {
    const accounts = ['a.example', 'b.example'].map((domain) => ({ id: '1', conn_id: '', org: { domain } }));
    expect(idsOf(accounts)).toEqual(['a.example/1', 'b.example/1']);
  });

  it('is one for an account that is listed twice', () => {
    const account = { id: '1', conn_id: 'CON-1' } as WireAccount;
    expect(new AccountIds([account]).group([account, account])).toEqual(new Map([['1', [account, account]]]));
  });

  describe('that is stored', () => {
    const login = (conn_id: string, domain: string, name = 'Checking') => ({ id: '1', conn_id, name, org: { domain } });
    const first = login('CON-1', 'a.example');
    const second = login('CON-2', 'b.example');

    it('with its login keeps it, whether or not the other login is listed', () => {
      expect(idsOf([second], { 'CON-1/1': '', 'CON-2/1': '' })).toEqual(['CON-2/1']);
    });

    it('without its login stays so when another login of another bank, or with another name, uses it, too', () => {
      expect(idsOf([second, first], { 1: 'Savings' })).toEqual(['CON-2/1', '1']);
      expect(idsOf([login('CON-2', 'a.example', 'Card'), first], { 1: 'Checking' })).toEqual(['CON-2/1', '1']);
      expect(idsOf([second, first], { 1: '', 'CON-2/1': '' })).toEqual(['CON-2/1', '1']);
    });

    it('without its login does not go on in the only one of another bank with another name', () => {
      expect(idsOf([second], { 1: 'Savings' })).toEqual(['CON-2/1']);
      expect(idsOf([second], { 1: 'Checking' })).toEqual(['1']);
      expect(idsOf([first], { 1: 'Savings' })).toEqual(['1']);
      expect(idsOf([second], { 1: 'Savings' }, { institution: null })).toEqual(['1']);
      expect(idsOf([second], { 1: 'Mine' }, { nameChosen: true })).toEqual(['1']);
    });

    it('without its login names both when it cannot be told whose it is', () => {
      expect(idsOf([login('CON-2', 'a.example'), first], { 1: 'Checking' })).toEqual(['CON-2/1', 'CON-1/1']);
    });
  });
});
