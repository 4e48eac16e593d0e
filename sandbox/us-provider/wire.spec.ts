import { unixSecondsOf } from '../../src/platform/time/calendar-date.js';
import type { HouseholdAccount, HouseholdHolding, Household, HouseholdTransaction } from '../household.js';
import type { Trouble } from './body.js';
import { readAccountsQuery } from './query.js';
import { accountSet, USUAL_HABITS, type WireHabits } from './wire.js';

const ROOT = 'http://sandbox.test/sandbox/us';
const TODAY = '2026-03-10';
const at = (date: string, hour = 12) => unixSecondsOf(date) + hour * 3600;

const CHECKING = account('ACT 1', 'USD', 100_00, [
  row('a', at('2026-03-01'), 25_00),
  row('b', at('2026-03-05'), -10_50),
  row('c', null, -4_75, at('2026-03-08', 20)),
]);
const BROKERAGE: HouseholdAccount = {
  ...account('ACT-2', 'USD', 300_00, [row('a', at('2026-03-02'), 12_34)]),
  availableMinor: null,
  holdings: [holding('NQTX', 1_500_00, false), holding('MMXX', 312_00, true)],
};
const YEN = account('ACT-3', 'JPY', 1_250_400, [row('y', at('2026-03-03'), -3200)]);
const MILES = account('ACT-4', 'globetrot miles', 48_210, []);

describe('accountSet', () => {
  it('a response in protocol v1 names the bank in each account', () => {
    const set = ask('start-date=1&account=ACT-3');
    expect(set).toEqual({
      errors: [expect.stringContaining('capped')],
      accounts: [
        {
          org: {
            domain: 'quay.example',
            name: 'Quay Bank',
            'sfin-url': ROOT,
            url: 'https://www.quay.example',
            id: 'INST-1',
          },
          id: 'ACT-3',
          name: 'Account ACT-3',
          currency: 'JPY',
          balance: '1247200',
          'available-balance': '1247200',
          'balance-date': at(TODAY, 1),
          transactions: [wireRow('y', at('2026-03-03'), '-3200')],
          holdings: [],
        },
      ],
    });
  });

  it('a response in protocol v2 names the bank in a connection', () => {
    const set = ask('version=2&account=ACT-3');
    expect(Object.keys(set).sort()).toEqual(['accounts', 'connections', 'errlist']);
    expect(set.connections).toEqual([
      {
        conn_id: 'CON-1',
        name: 'Quay Bank - Ash',
        org_id: 'INST-1',
        org_name: 'Quay Bank',
        org_url: 'https://www.quay.example',
        sfin_url: ROOT,
      },
    ]);
    expect(set.accounts[0]).toMatchObject({ id: 'ACT-3', conn_id: 'CON-1' });
    expect(set.accounts[0]).not.toHaveProperty('org');
  });

  it.each([
    ['no start, no transactions', '', []],
    ['the start is inclusive', `start-date=${at('2026-03-05')}`, ['b']],
    ['a second later is too late', `start-date=${at('2026-03-05') + 1}`, []],
    ['the end is exclusive', `start-date=${at('2026-03-01')}&end-date=${at('2026-03-05')}`, ['a']],
    ['a second later is enough', `start-date=${at('2026-03-01')}&end-date=${at('2026-03-05') + 1}`, ['a', 'b']],
    ['pending by presence, first since its date is 0', `start-date=${at('2026-03-01')}&pending=0`, ['c', 'a', 'b']],
    ['pending is windowed by purchase', `start-date=${at('2026-03-09')}&pending=1`, []],
    ['balances only', `start-date=${at('2026-03-01')}&balances-only=1`, []],
  ])('transactions are selected by the query: %s', (_, query, ids) => {
    const { transactions } = ask(`${query}&account=ACT+1`).accounts[0]!;
    expect(transactions.map(({ id }) => id)).toEqual(ids);
  });

  it('pending transactions, and no others, are marked as pending', () => {
    const { transactions } = ask(`start-date=${at('2026-03-01')}&pending=1&account=ACT%201`).accounts[0]!;
    expect(transactions[0]).toMatchObject({ posted: 0, transacted_at: at('2026-03-08', 20), pending: true });
    expect(transactions[1]).not.toHaveProperty('pending');
  });

  it('a server that ignores the window for pending transactions returns all of them', () => {
    const set = ask(`start-date=${at('2026-03-09')}&pending=1`, { pendingOutsideWindow: true });
    expect(set.accounts[0]!.transactions.map(({ id }) => id)).toEqual(['c']);
  });

  it('a server that defaults to 30 days returns their transactions to a request without a start date', () => {
    const set = ask('', { undatedTransactions: 'last 30 days' });
    expect(set.accounts[0]!.transactions.map(({ id }) => id)).toEqual(['a', 'b']);
  });

  it('a balance includes posted transactions and securities, and a money-market fund once', () => {
    const balances = ask('').accounts.map(({ balance }) => balance);
    expect(balances).toEqual(['114.50', '1812.34', '1247200', '48210']);
  });

  it('fields that the bank does not report are left out', () => {
    const [checking, brokerage] = ask('').accounts;
    expect(checking).toHaveProperty('available-balance', '114.50');
    expect(brokerage).not.toHaveProperty('available-balance');
    expect(checking).not.toHaveProperty('extra');
  });

  it('a window that ends in the past has the balance of its end, with that date', () => {
    const [checking, brokerage] = ask(`start-date=${at('2026-03-01')}&end-date=${at('2026-03-02')}`).accounts;
    expect(checking).toMatchObject({ balance: '125.00', 'balance-date': at('2026-03-02') });
    expect(checking).not.toHaveProperty('available-balance');
    // What the securities were worth on that day; the dividend of that noon is not in the cash yet.
    expect(brokerage).toMatchObject({ balance: '1700.00' });
  });

  it('a window that ends in the future has the current balance', () => {
    expect(ask(`end-date=${at('2026-03-11')}`).accounts[0]).toMatchObject({
      balance: '114.50',
      'balance-date': at(TODAY, 1),
    });
  });

  it('holdings are returned unless only balances are requested', () => {
    expect(ask('').accounts[1]!.holdings[0]).toEqual({
      id: 'HOL-NQTX',
      created: at('2025-01-01'),
      currency: '',
      symbol: 'NQTX',
      description: 'NQTX FUND',
      shares: '10.5000',
      market_value: '1500.00',
      cost_basis: '900.00',
      purchase_price: '0.00',
    });
    expect(ask('balances-only=1').accounts[1]!.holdings).toEqual([]);
  });

  it('a custom currency is written as a URL', () => {
    expect(ask('').accounts[3]!.currency).toBe(`${ROOT}/currency/globetrot%20miles`);
  });

  it('requested accounts that do not exist are left out silently', () => {
    expect(ask('account=nobody').accounts).toEqual([]);
    expect(ask('account=nobody&account=ACT-2&account=ACT%201').accounts.map(({ id }) => id)).toEqual([
      'ACT 1',
      'ACT-2',
    ]);
  });

  it('errors have codes in protocol v2 and are sentences in protocol v1', () => {
    const troubles = [
      { code: 'con.auth', message: 'Sign in again.', connectionId: 'CON-1' },
      { code: 'act.failed', message: 'Account failed.', accountId: 'ACT-3' },
    ];
    expect(ask('version=2', {}, troubles).errlist).toEqual([
      { code: 'con.auth', msg: 'Sign in again.', conn_id: 'CON-1' },
      { code: 'act.failed', msg: 'Account failed.', account_id: 'ACT-3' },
    ]);
    expect(ask('', {}, troubles).errors).toEqual(['Connection to Quay Bank may need attention', 'Account failed.']);
  });

  it('a capped window is reported in the requested protocol version', () => {
    const query = `start-date=${at('2025-03-05')}`;
    expect(ask(query).errors).toEqual([expect.stringMatching(/exceeds limit of 90 days.*was capped/)]);
    expect(ask(`${query}&version=2`).errlist).toEqual([
      { code: 'gen.api', msg: expect.stringMatching(/exceeds limit of 90 days.*was capped/) },
    ]);
  });
});

function ask(query: string, habits: Partial<WireHabits> = {}, troubles: Trouble[] = []) {
  const knowledge = { today: TODAY, householdOn, troubles };
  return accountSet(knowledge, readAccountsQuery(new URLSearchParams(query))!, ROOT, { ...USUAL_HABITS, ...habits });
}

/** Securities were worth 1,400 in the past. */
function householdOn(today: string): Household {
  const worth = (item: HouseholdHolding) => (today === TODAY || item.isCash ? item : { ...item, valueMinor: 1_400_00 });
  return {
    today,
    connections: [
      {
        id: 'CON-1',
        name: 'Quay Bank - Ash',
        institution: { id: 'INST-1', name: 'Quay Bank', domain: 'quay.example', url: 'https://www.quay.example' },
      },
    ],
    accounts: [CHECKING, { ...BROKERAGE, holdings: BROKERAGE.holdings.map(worth) }, YEN, MILES],
  };
}

function account(
  id: string,
  currency: string,
  openingMinor: number,
  transactions: HouseholdTransaction[],
): HouseholdAccount {
  const booked = transactions.filter(({ posted }) => posted !== null);
  return {
    id,
    connectionId: 'CON-1',
    name: `Account ${id}`,
    currency,
    openingMinor,
    availableMinor: booked.reduce((sum, { amountMinor }) => sum + amountMinor, openingMinor),
    refreshedAt: at(TODAY, 1),
    openedAt: null,
    transactions,
    holdings: [],
  };
}

function row(id: string, posted: number | null, amountMinor: number, transactedAt = posted ?? 0): HouseholdTransaction {
  return {
    id,
    originId: id,
    posted,
    transactedAt,
    amountMinor,
    description: 'SHOP',
    payee: 'Shop',
    memo: '',
    mcc: null,
  };
}

function wireRow(id: string, posted: number, amount: string) {
  return { id, posted, amount, description: 'SHOP', payee: 'Shop', memo: '', transacted_at: posted, mcc: null };
}

function holding(symbol: string, valueMinor: number, isCash: boolean): HouseholdHolding {
  return {
    id: `HOL-${symbol}`,
    firstSeenAt: at('2025-01-01'),
    symbol,
    description: `${symbol} FUND`,
    shares: '10.5000',
    valueMinor,
    costMinor: 900_00,
    purchasePriceMinor: 0,
    isCash,
  };
}
