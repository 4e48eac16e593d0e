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

describe('an account with another id looks like one that is gone', () => {
  it.each([
    ['with the same name, bank and currency', {}],
    ['when only case and punctuation differ', { name: 'everyday checking  4417', institution: 'TIDEWATER-BANK' }],
    ['when its bank is unknown', { institution: null }],
  ])('%s', (_, more) => {
    expect(isSameAccount(account(), account(more))).toBe(true);
  });

  it.each([
    ['another name', { name: 'Everyday Checking (4418)' }],
    ['another bank', { institution: 'North Quay' }],
    ['another currency', { currency: 'CAD' }],
    ['no currency', { currency: null }],
  ])('but not with %s', (_, more) => {
    expect(isSameAccount(account(), account(more))).toBe(false);
  });

  it.each([
    ['symbols', '💰', '🚗'],
    ['vowels, which are marks in its script', 'किराना', 'कुराना'],
  ])('but not with a name that differs in %s', (_, name, other) => {
    expect(isSameAccount(account({ name }), account({ name: other }))).toBe(false);
  });

  it('when its name is written with combined letters', () => {
    expect(isSameAccount(account({ name: 'Caf\u00e9' }), account({ name: 'Cafe\u0301' }))).toBe(true);
  });

  it('by bank and kind where a person has chosen its name', () => {
    const mine = account({ name: 'Household', nameChosen: true });
    expect(isSameAccount(mine, account())).toBe(true);
    expect(isSameAccount(mine, account({ accountType: 'credit_card' }))).toBe(false);
    expect(isSameAccount(mine, account({ institution: null }))).toBe(false);
  });
});

describe('pairs of accounts', () => {
  const always = () => true;

  it('are made only where neither has a second candidate', () => {
    const [gone, other] = [account(), account({ name: 'Savings' })];
    const [here, twin] = [account(), account()];
    expect(uniquePairs([gone, other], [here], always)).toEqual([[gone, here]]);
    expect(uniquePairs([gone], [here, twin], always)).toEqual([]);
    expect(uniquePairs([gone, account()], [here], always)).toEqual([]);
  });

  it('are unique once a person has ruled the other candidate out', () => {
    const [gone, here, twin] = [account(), account(), account()];
    expect(uniquePairs([gone], [here, twin], (_, candidate) => candidate !== twin)).toEqual([[gone, here]]);
  });

  it('are of accounts that look alike, whoever chose their names', () => {
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

  it('are not sought on after a second candidate: a bank may list hundreds of one name', () => {
    const many = () => Array.from({ length: 300 }, () => account());
    const mayPair = jest.fn(always);
    expect(uniquePairs(many(), many(), mayPair)).toEqual([]);
    expect(uniquePairs(many(), [account()], mayPair)).toEqual([]);
    expect(mayPair.mock.calls.length).toBeLessThan(2_000);
  });
});

describe('the same id', () => {
  it('means the same account unless bank or currency speak against it', () => {
    expect(mayBeOneAccount(account(), account({ name: 'Renamed' }))).toBe(true);
    expect(mayBeOneAccount(account(), account({ institution: null, currency: null }))).toBe(true);
    expect(mayBeOneAccount(account(), account({ institution: 'North Quay' }))).toBe(false);
    expect(mayBeOneAccount(account(), account({ currency: 'CAD' }))).toBe(false);
  });
});
