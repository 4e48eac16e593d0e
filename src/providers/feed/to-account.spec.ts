import { guessAccountType } from '../account-type-by-name.js';
import { readBalance } from './to-account.js';

describe('readBalance', () => {
  const balance = (
    amount: string | null | undefined,
    currency: string | null = 'USD',
    available: string | null = null,
  ) => readBalance({ amount, available }, currency);

  it.each([
    ['USD', '-612.45', -61245],
    ['USD', '0.00', 0],
    ['USD', '-0.00', 0],
    ['JPY', '120000', 120000],
    ['KWD', '1.234', 1234],
  ])('a balance in %s has the decimal places of that currency', (currency, amount, minor) => {
    expect(balance(amount, currency)).toEqual({ amountMinor: minor, availableMinor: null, date: null });
  });

  it('a balance that is missing, unreadable or in no known currency is unknown, not zero', () => {
    for (const amount of [null, undefined, '', 'n/a']) expect(balance(amount)).toBeNull();
    for (const currency of [null, '', 'https://bank.example/miles']) expect(balance('1.00', currency)).toBeNull();
  });

  it('a balance keeps the day and the available amount that the provider reports', () => {
    const written = { date: '2026-03-02' };
    const read = readBalance({ amount: '1', available: '43.55', written }, 'USD');
    expect(read).toEqual({ amountMinor: 100, availableMinor: 4355, date: '2026-03-02' });
  });
});

describe('guessAccountType', () => {
  it('the account type is guessed from the name, and is unknown without a name', () => {
    expect(guessAccountType('Student Loan', null)).toBe('loan');
    expect(guessAccountType(null, null)).toBeNull();
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
      expect(guessAccountType('Freedom', { amountMinor, availableMinor, date: null })).toBe(type);
    },
  );

  it('an account with securities is guessed to be an investment even if its name says savings', () => {
    expect(guessAccountType('SimpleFIN Savings', null, { hasHoldings: true })).toBe('investment');
    expect(guessAccountType('Crypto', null, { hasHoldings: true })).toBe('crypto');
  });

  it('an account at a broker is guessed to be an investment unless its name says otherwise', () => {
    expect(guessAccountType('Self-directed', null, { isAtBroker: true })).toBe('investment');
    expect(guessAccountType('Cash Checking', null, { isAtBroker: true })).toBe('depository');
  });
});
