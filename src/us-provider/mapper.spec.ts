import { guessAccountType, institutionOf, mapBalance, mapTransaction } from './mapper.js';
import { readTransaction, type WireAccount, type WireConnection } from './payload.js';

const TODAY = '2026-03-15';
/** 2 March 2026, noon in UTC. */
const MARCH_2 = 1772452800;

function mapped(more: object = {}, currency = 'USD') {
  const usual = {
    id: 'T',
    posted: MARCH_2,
    transacted_at: MARCH_2 - 86_400,
    amount: '-18.75',
    description: 'HARBOR BOOKS',
  };
  const { value } = readTransaction({ ...usual, payee: 'Harbor Books', memo: '', ...more });
  return value && mapTransaction(value, currency, TODAY);
}

const account = (more: object) => more as WireAccount;

describe('mapTransaction', () => {
  it('a posted transaction is dated by the UTC day on which it was posted, with its timestamp', () => {
    expect(mapped()).toEqual({
      externalId: 'T',
      date: '2026-03-02',
      moment: { unixSeconds: MARCH_2, isWhole: true },
      amountMinor: -1875,
      currency: 'USD',
      pending: false,
      description: 'HARBOR BOOKS',
      merchant: 'Harbor Books',
    });
  });

  it.each([
    ['midnight', 1772409600, '2026-03-02'],
    ['the last second of the day', 1772495999, '2026-03-02'],
    ['noon, as a string,', String(MARCH_2), '2026-03-02'],
  ])('a transaction posted at %s is dated by that UTC day', (_, posted, date) => {
    expect(mapped({ posted })?.date).toBe(date);
  });

  it.each([
    [true, 'at noon', MARCH_2],
    [true, 'at midnight', MARCH_2 + 43_200],
    [false, 'a second after noon', MARCH_2 + 1],
  ])('a timestamp may stand for a whole day (isWhole: %s) if it was posted %s', (isWhole, _, posted) => {
    expect(mapped({ posted })?.moment).toEqual({ unixSeconds: posted, isWhole });
  });

  it.each([
    ['is missing', undefined],
    ['is null', null],
    ['is not a number', 'yesterday'],
    ['is 0', 0],
    ['is negative', -5],
    ['is in milliseconds', MARCH_2 * 1000],
    ['is on 1 January 1970', 3_600],
  ])('a transaction whose posted date %s is dated by the day it was made, never 1970', (_, posted) => {
    expect(mapped({ posted })?.date).toBe('2026-03-01');
  });

  it('a transaction without any date is dated today, marked as a guess', () => {
    expect(mapped({ posted: 0, transacted_at: null })).toMatchObject({
      date: TODAY,
      dateIsGuess: true,
      pending: false,
    });
    expect(mapped()).not.toHaveProperty('dateIsGuess');
  });

  it.each([
    [true, MARCH_2, true],
    [1, MARCH_2, true],
    ['true', MARCH_2, true],
    ['1', MARCH_2, true],
    [undefined, 0, true],
    [undefined, '0', true],
    [undefined, MARCH_2, false],
    [false, MARCH_2, false],
    [0, MARCH_2, false],
    ['0', MARCH_2, false],
    [null, undefined, false],
    [undefined, 'soon', false],
  ])('a transaction with pending %j and posted %j is mapped to pending: %s', (pending, posted, isPending) => {
    expect(mapped({ pending, posted })?.pending).toBe(isPending);
  });

  it('a pending transaction is dated by the day it was made, or else by its posted date', () => {
    expect(mapped({ pending: true })?.date).toBe('2026-03-01');
    expect(mapped({ pending: true, transacted_at: undefined })?.date).toBe('2026-03-02');
  });

  it.each([
    ['-18.75', 'USD', -1875],
    [-18.75, 'USD', -1875],
    [' 12 ', 'USD', 1200],
    ['0.1', 'USD', 10],
    [1e-7, 'USD', 0],
    ['1850.005', 'USD', 185001],
    ['-3200', 'JPY', -3200],
    ['1.2345', 'KWD', 1235],
  ])('an amount of %j in %s is exactly %i minor units', (amount, currency, minor) => {
    expect(mapped({ amount }, currency)?.amountMinor).toBe(minor);
  });

  it.each([
    { amount: '1,234.56' },
    { amount: 'ten' },
    { amount: '' },
    { amount: null },
    { amount: '9'.repeat(20) },
    { id: '' },
  ])('a transaction with %j is unreadable', (more) => {
    expect(mapped(more)).toBeNull();
  });

  it('a transaction keeps a currency other than the account’s, and is unreadable if the currency is unknown', () => {
    expect(mapped({ currency: 'jpy', amount: '3200' })).toMatchObject({ currency: 'JPY', amountMinor: 3200 });
    expect(mapped({ currency: 'https://bank.example/points' })).toBeNull();
    expect(mapped({ currency: ' ' })?.currency).toBe('USD');
  });

  it('the description is the first non-empty text, with its markup but without control characters', () => {
    expect(mapped({ description: '<b>A\u0000\u0007B</b>' })?.description).toBe('<b>A B</b>');
    expect(mapped({ description: ' ', memo: 'RAW TEXT' })?.description).toBe('RAW TEXT');
    expect(mapped({ description: null, memo: null, payee: 'Shop' })).toMatchObject({
      description: 'Shop',
      merchant: 'Shop',
    });
    expect(mapped({ description: null, memo: null, payee: '' })).toMatchObject({ description: '', merchant: null });
    expect(mapped({ description: 'x'.repeat(9_999) })?.description).toHaveLength(500);
  });
});

describe('mapBalance', () => {
  const wire = { currency: 'USD', balance: '-612.45', 'available-balance': '4387.55', 'balance-date': MARCH_2 };

  it('a balance keeps the sign and the day that the provider reports', () => {
    const day = { date: '2026-03-02', moment: { unixSeconds: MARCH_2, isWhole: true } };
    expect(mapBalance(account(wire))).toEqual({ amountMinor: -61245, availableMinor: 438755, ...day });
  });

  it.each([
    ['0.00', 0],
    ['-0.00', 0],
  ])('a balance of %j is zero, not unknown', (balance, minor) => {
    expect(mapBalance(account({ ...wire, balance }))?.amountMinor).toBe(minor);
  });

  it.each([
    { balance: null },
    { balance: undefined },
    { balance: '' },
    { balance: 'n/a' },
    { currency: '' },
    { currency: 'https://bank.example/miles' },
  ])('a balance with %j is unknown', (more) => {
    expect(mapBalance(account({ ...wire, ...more }))).toBeNull();
  });

  it('a balance may lack an available amount and a date', () => {
    const sparse = { ...wire, 'available-balance': null, 'balance-date': 3_600 };
    expect(mapBalance(account(sparse))).toEqual({ amountMinor: -61245, availableMinor: null, date: null });
  });
});

describe('institutionOf', () => {
  it.each([
    [{ org_name: 'Tidewater Bank', name: 'Tidewater Bank - Rowan' }, {}, 'Tidewater Bank'],
    [{ org_name: '', name: 'Tidewater Bank - Rowan' }, {}, 'Tidewater Bank - Rowan'],
    [undefined, { conn_name: 'Tidewater' }, 'Tidewater'],
    [undefined, { org: { name: 'North Quay', domain: 'www.northquay.example' } }, 'North Quay'],
    [undefined, { org: { domain: 'www.northquay.example' } }, 'www.northquay.example'],
    [undefined, {}, null],
  ])('an account with connection %j and fields %j belongs to institution %j', (connection, more, institution) => {
    expect(institutionOf(account(more), connection as WireConnection | undefined)).toBe(institution);
  });
});

describe('guessAccountType', () => {
  it('the account type is guessed from the name, and is unknown without a name', () => {
    expect(guessAccountType('Student Loan', null, false)).toBe('loan');
    expect(guessAccountType(null, null, false)).toBeNull();
  });

  it.each([
    [-61245, 438755, 'credit_card'],
    [0, 500000, 'credit_card'],
    [-61245, 0, null],
    [-61245, null, null],
    [61245, 61245, null],
  ])(
    'an account with a balance of %j and %j available is guessed to be of type %j',
    (amountMinor, availableMinor, type) => {
      expect(guessAccountType('Freedom', { amountMinor, availableMinor, date: null }, false)).toBe(type);
    },
  );

  it('an account with securities is guessed to be an investment even if its name says savings', () => {
    expect(guessAccountType('SimpleFIN Savings', null, true)).toBe('investment');
    expect(guessAccountType('Crypto', null, true)).toBe('crypto');
  });
});
