import { addDays, unixSecondsOf } from '../../src/platform/time/calendar-date.js';
import type { HouseholdAccount, Household } from '../household.js';
import { householdAbroad } from '../life-abroad/household-abroad.js';
import { readTransactionsQuery } from './query.js';
import { accountListBody, balanceBody, holdingListBody, numberOf, transactionListBody, USUAL_HABITS } from './wire.js';

const TODAY = '2026-11-21';
const household: Household = householdAbroad()(TODAY);
const [current, savings, card, sterling, yen, portfolio] = household.accounts as Required<HouseholdAccount[]>;

describe('accountListBody', () => {
  it('the list of accounts has numeric ids, a total, and neither balances nor types', () => {
    const { accounts, total } = accountListBody(household);
    expect(total).toBe(6);
    expect(new Set(accounts.map(({ id }) => id)).size).toBe(6);
    expect(accounts[4]).toEqual({
      id: numberOf(yen!.id),
      connection_id: expect.any(Number),
      name: '普通預金',
      institution_name: 'ほしかわ銀行',
      institution_logo: 'https://logos.example/hoshikawa.example.png',
      provider: 'finverse',
      currency: 'JPY',
      status: 'ACTIVE',
    });
  });

  it('the list of accounts leaves out what the upstream provider does not report', () => {
    const { accounts } = accountListBody(household);
    expect(accounts.map((account) => account.currency)).toEqual([undefined, 'EUR', undefined, undefined, 'JPY', 'EUR']);
    expect(accounts[1]).not.toHaveProperty('status');
    expect(accounts[1]!.institution_logo).toBeNull();
    expect(accounts[0]!.connection_id).toBe(accounts[2]!.connection_id);
  });
});

describe('balanceBody', () => {
  it('a balance is a number with its currency: negative for debts, without decimals for yen, including securities', () => {
    expect([current!, card!, sterling!, yen!].map((account) => balanceBody(account).balance.currency)).toEqual([
      'EUR',
      'EUR',
      'GBP',
      'JPY',
    ]);
    expect(balanceBody(card!).balance.amount).toBeLessThan(0);
    expect(Number.isInteger(balanceBody(yen!).balance.amount)).toBe(true);
    expect(balanceBody(portfolio!).balance.amount).toBeGreaterThan(10_000);
  });
});

describe('transactionListBody', () => {
  const ask = (query: string, account = current!, habits = {}) =>
    transactionListBody(account, readTransactionsQuery(new URLSearchParams(query))!, { ...USUAL_HABITS, ...habits });

  it('all posted transactions are returned, newest first, if the query is empty', () => {
    const { transactions, total } = ask('');
    expect(total).toBe(current!.transactions.filter(({ posted }) => posted !== null).length);
    expect(transactions).toHaveLength(total);
    const dates = transactions.map(({ date }) => date);
    expect(dates).toEqual([...dates].sort().reverse());
    expect(transactions.some(({ isPending }) => isPending)).toBe(false);
  });

  it('a range of transactions includes its first and its last day', () => {
    const dates = (query: string) => ask(query).transactions.map(({ date }) => date);
    const day = ask('').transactions.at(0)!.date;
    expect(new Set(dates(`from=${day}&to=${day}`))).toEqual(new Set([day]));
    expect(dates(`from=${addDays(day, 1)}`)).toEqual([]);
    expect(dates(`from=${day}&to=${addDays(day, -1)}`)).toEqual([]);
    expect(dates('start_date=2026-11-01')).toEqual(dates(''));
  });

  it('pending transactions are returned for exactly include_pending=true', () => {
    const pending = (query: string) => ask(query).transactions.filter(({ isPending }) => isPending);
    expect(pending('include_pending=true').length).toBeGreaterThan(0);
    expect(pending('include_pending=true').every(({ id }) => id === null)).toBe(true);
    for (const query of ['', 'include_pending=1', 'include_pending=false']) expect(pending(query)).toEqual([]);
  });

  it('a transaction is written with the field names of the protocol', () => {
    const rows = ask('', current).transactions;
    expect(rows.find(({ description }) => description === 'STADSTRAM OV')).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      accountId: numberOf(current!.id),
      amount: -2.3,
      currency: 'EUR',
      date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      merchant: 'Stadstram',
      description: 'STADSTRAM OV',
      isPending: false,
    });
    expect(rows.find(({ amount }) => amount === 2912.4)).toMatchObject({
      merchant: 'SEPA OVERBOEKING\nNAAM: ATELIER MOREL SARL\nOMSCHRIJVING: SALARIS',
      description: '',
    });
    expect(ask('', savings).transactions.some(({ merchant }) => merchant === null)).toBe(true);
  });

  it('a server with a row limit returns the newest transactions and the total of all', () => {
    const all = ask('');
    expect(ask('', current, { mostRows: 7 })).toEqual({
      transactions: all.transactions.slice(0, 7),
      total: all.total,
    });
    const anyway = ask('from=2026-11-01', current, { filtersByDate: false, waitsToBeAskedForHolds: false });
    expect(anyway.total).toBe(current!.transactions.length);
  });

  it('a query with an invalid date is rejected', () => {
    expect(readTransactionsQuery(new URLSearchParams('from=2026-02-30'))).toBeNull();
    expect(readTransactionsQuery(new URLSearchParams('to=yesterday'))).toBeNull();
  });
});

describe('holdingListBody', () => {
  it('holdings are returned in their own currencies, with a total in the currency of the account', () => {
    const { holdings, totalValue, currency } = holdingListBody(portfolio!, household)!;
    const [fund, stock, pension] = holdings;
    expect(fund).toEqual({
      security: {
        name: 'Vlakland World ETF',
        currency: 'EUR',
        tickerSymbol: 'VLAK',
        figi: null,
        cusp: null,
        isin: 'IE00B0000001',
      },
      quantity: expect.any(Number),
      price: expect.any(Number),
      value: expect.any(Number),
      costBasis: expect.any(Number),
      currency: 'EUR',
      raw: { snaptrade: { id: expect.stringMatching(/^HOL-/) } },
    });
    expect(fund!.price * fund!.quantity).toBeCloseTo(fund!.value, 1);
    expect(stock).toMatchObject({ currency: 'USD', costBasis: null, quantity: 3 });
    expect(pension).toMatchObject({ security: { tickerSymbol: null, isin: null }, raw: {} });
    expect(currency).toBe('EUR');
    expect(totalValue).toBeLessThan(holdings.reduce((sum, { value }) => sum + value, 0));
  });

  it('an account has no list of holdings if its upstream provider has no securities, and may have an empty one otherwise', () => {
    expect(holdingListBody(current!, household)).toBeNull();
    expect(holdingListBody({ ...portfolio!, holdings: [] }, household)).toEqual({
      holdings: [],
      totalValue: 0,
      currency: 'EUR',
    });
  });
});

describe('a household without upstream providers', () => {
  it('a household without upstream providers can be served', () => {
    const [connection] = household.connections;
    const plain = { ...household, connections: [{ ...connection!, upstream: undefined }], accounts: [current!] };
    expect(accountListBody(plain).accounts[0]!.provider).toBe('gocardless');
    expect(current!.transactions.every(({ posted }) => (posted ?? 0) < unixSecondsOf(TODAY))).toBe(true);
  });
});
