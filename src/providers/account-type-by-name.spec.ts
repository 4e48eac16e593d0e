import { accountTypeByName } from './account-type-by-name.js';

describe('accountTypeByName', () => {
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
    ['Compte courant', 'depository'],
    ['Livret A', 'depository'],
    ['Compte épargne', 'depository'],
    ['GIROKONTO', 'depository'],
    ['Betaalrekening', 'depository'],
    ['普通預金', 'depository'],
    ['Creditcard', 'credit_card'],
    ['Kreditkarte Gold', 'credit_card'],
    ['Prêt étudiant', 'loan'],
    ['PEA Jeune', 'investment'],
    ['Stocks & Shares ISA', 'investment'],
    ['Visa Debit', 'depository'],
    ['Prepaid Mastercard', 'depository'],
    ['Credit Card Payoff', 'depository'],
    ['HELOC Sinking Fund', 'depository'],
    ['Mortgage Escrow', 'depository'],
    ['Mortgage Offset Saver', 'depository'],
    ['Offset Mortgage', 'loan'],
    ['Home Equity Line (7781)', 'loan'],
    ['Retirement Savings Plan', 'investment'],
    ['College 529 Savings', 'investment'],
    ['TFSA', 'investment'],
    ['Total Stock Index Fund', 'investment'],
    ['Bitcoin Savings', 'crypto'],
    ['Cardinal Reserve', null],
    ['Giftcard', null],
    ['Isabel', null],
    ['Account 7780', null],
    [null, null],
  ])('an account named %j is of the type %j', (name, type) => {
    expect(accountTypeByName(name, null)).toBe(type);
  });

  it.each([
    ['Savings Secured Loan', -500_000, 0, 'loan'],
    ['401(k) Loan', 310_000, 0, 'loan'],
    ['Investment Property Mortgage', 20_000_000, 0, 'loan'],
    ['Crypto Rewards Visa', -4_200, 95_800, 'credit_card'],
    ['Direct Unsub Stafford', 1_420_000, 0, 'loan'],
    ['Rewards Visa', 20_000, 520_000, 'credit_card'],
    ['Everyday Checking', -5_000, 45_000, 'depository'],
    ['Student Loan', 500_000, 500_000, null],
    ['Holiday Fund', -500_000, null, null],
    ['Brokerage', -500_000, null, null],
  ])(
    'an account named %j with a balance of %j and %j available is of the type %j',
    (name, amountMinor, availableMinor, type) => {
      expect(accountTypeByName(name, { amountMinor, availableMinor, date: null })).toBe(type);
    },
  );
});
