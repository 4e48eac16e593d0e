import { guessAccountType } from './account-type-guess.js';
import type { WireAccount } from './payload.js';

describe('the guess of an account type', () => {
  it.each([
    ['Everyday Checking (4417)', 'depository'],
    ['High-Yield Savings', 'depository'],
    ['Money Market Savings', 'depository'],
    ['12 Month CD', 'depository'],
    ['Visa Debit Checking', 'depository'],
    ['Rewards Visa (0099)', 'credit_card'],
    ['Platinum Card', 'credit_card'],
    ['Student Loan', 'loan'],
    ['Mortgage 30yr', 'loan'],
    ['Home Equity Line of Credit', 'loan'],
    ['Individual Brokerage', 'investment'],
    ['Roth IRA', 'investment'],
    ['ACME 401(k) Plan', 'investment'],
    ['Bitcoin wallet', 'crypto'],
    ["Ira's Checking", 'depository'],
    ["Ira's Savings", 'depository'],
    ['Checking (0529)', 'depository'],
    ['Cardinal Reserve', null],
    ['Account 7780', null],
    [null, null],
  ])('%j is %j', (name, type) => {
    expect(guessAccountType({ name } as WireAccount, false)).toBe(type);
  });

  it.each([
    ['-612.45', '4387.55', 'credit_card'],
    ['-612.45', '0.00', null],
    ['-612.45', undefined, null],
    ['612.45', '612.45', null],
  ])('a balance of %j beside %j available is %j', (balance, available, type) => {
    expect(guessAccountType({ name: 'Freedom', balance, 'available-balance': available } as WireAccount, false)).toBe(
      type,
    );
  });

  it('trusts securities more than a name, since any account may be called savings', () => {
    expect(guessAccountType({ name: 'SimpleFIN Savings' } as WireAccount, true)).toBe('investment');
    expect(guessAccountType({ name: 'Crypto' } as WireAccount, true)).toBe('crypto');
  });
});
