import { accountTypeByName } from './account-type-by-name.js';

describe('the name of an account', () => {
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
    ['Cardinal Reserve', null],
    ['Giftcard', null],
    ['Isabel', null],
    ['Account 7780', null],
    [null, null],
  ])('%j gives away %j', (name, type) => {
    expect(accountTypeByName(name)).toBe(type);
  });
});
