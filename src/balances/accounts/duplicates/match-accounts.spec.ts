import { jest } from '@jest/globals';
import {
  type AccountTraits,
  isSameAccount as isSame,
  mayBeOneAccount,
  toComparable,
  uniquePairs,
} from './match-accounts.js';

function account(more: Partial<AccountTraits> = {}): AccountTraits {
  return {
    name: 'Everyday Checking (4417)',
    nameChosen: false,
    institution: 'Tidewater Bank',
    currency: 'USD',
    accountType: 'depository',
    ...more,
  };
}

const isSameAccount = (a: AccountTraits, b: AccountTraits) => isSame(toComparable(a), toComparable(b));

describe('isSameAccount', () => {
  it.each([
    ['with the same name, bank and currency', {}],
    ['when only case and punctuation differ', { name: 'everyday checking  4417', institution: 'TIDEWATER-BANK' }],
    ['when its bank is unknown', { institution: null }],
  ])('an account with another id is the same as a disconnected one %s', (_, more) => {
    expect(isSameAccount(account(), account(more))).toBe(true);
  });

  it.each([
    ['another name', { name: 'Everyday Checking (4418)' }],
    ['another bank', { institution: 'North Quay' }],
    ['another currency', { currency: 'CAD' }],
    ['no currency', { currency: null }],
  ])('an account with another id is not the same as a disconnected one with %s', (_, more) => {
    expect(isSameAccount(account(), account(more))).toBe(false);
  });

  it.each([
    ['symbols', '💰', '🚗'],
    ['vowels, which are marks in its script', 'किराना', 'कुराना'],
  ])('accounts are not the same if their names differ in %s', (_, name, other) => {
    expect(isSameAccount(account({ name }), account({ name: other }))).toBe(false);
  });

  it('accounts are the same if their names differ only in combined letters', () => {
    expect(isSameAccount(account({ name: 'Caf\u00e9' }), account({ name: 'Cafe\u0301' }))).toBe(true);
  });

  it('an account whose name the user chose is matched by bank and type', () => {
    const mine = account({ name: 'Household', nameChosen: true });
    expect(isSameAccount(mine, account())).toBe(true);
    expect(isSameAccount(mine, account({ accountType: 'credit_card' }))).toBe(false);
    expect(isSameAccount(mine, account({ institution: null }))).toBe(false);
  });
});

describe('uniquePairs', () => {
  const always = () => true;

  it('accounts are paired only if neither has a second candidate', () => {
    const [gone, other] = [account(), account({ name: 'Savings' })];
    const [here, twin] = [account(), account()];
    expect(uniquePairs([gone, other], [here], always)).toEqual([[gone, here]]);
    expect(uniquePairs([gone], [here, twin], always)).toEqual([]);
    expect(uniquePairs([gone, account()], [here], always)).toEqual([]);
  });

  it('accounts are paired once the user has ruled out the other candidate', () => {
    const [gone, here, twin] = [account(), account(), account()];
    expect(uniquePairs([gone], [here, twin], (_, candidate) => candidate !== twin)).toEqual([[gone, here]]);
  });

  it('two accounts are paired if and only if they look alike, whoever chose their names', () => {
    const all = ['Checking', 'Savings'].flatMap((name) =>
      [true, false].flatMap((nameChosen) =>
        ['Tidewater Bank', 'North Quay', null].flatMap((institution) =>
          ['depository', 'loan'].flatMap((accountType) =>
            ['USD', 'CAD', null].map((currency) => ({ name, nameChosen, institution, accountType, currency })),
          ),
        ),
      ),
    );
    const wrong = all.flatMap((a) =>
      all.filter((b) => isSameAccount(a, b) !== (uniquePairs([a], [b], always).length === 1)).map((b) => [a, b]),
    );
    expect(wrong).toEqual([]);
  });

  it('the search for pairs stops at a second candidate, because a bank may list hundreds of accounts of one name', () => {
    const many = () => Array.from({ length: 300 }, () => account());
    const mayPair = jest.fn(always);
    expect(uniquePairs(many(), many(), mayPair)).toEqual([]);
    expect(uniquePairs(many(), [account()], mayPair)).toEqual([]);
    expect(mayPair.mock.calls.length).toBeLessThan(2_000);
  });
});

describe('mayBeOneAccount', () => {
  it('accounts with the same id are one account unless their banks or currencies differ', () => {
    expect(mayBeOneAccount(account(), account({ name: 'Renamed' }))).toBe(true);
    expect(mayBeOneAccount(account(), account({ institution: null, currency: null }))).toBe(true);
    expect(mayBeOneAccount(account(), account({ institution: 'North Quay' }))).toBe(false);
    expect(mayBeOneAccount(account(), account({ currency: 'CAD' }))).toBe(false);
  });
});
