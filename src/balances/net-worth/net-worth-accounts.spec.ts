import { countedIn, currenciesOf, type NetWorthAccount, netWorthWarnings } from './net-worth-accounts.js';
import type { DuplicatePair } from '../../accounts/duplicates/merge-suggestions.js';

const CHECKING: NetWorthAccount = {
  id: 'checking',
  name: 'Checking',
  currency: 'USD',
  isCurrent: true,
  isCarriedForward: true,
  isListed: true,
  isIncluded: true,
  closedOn: null,
  firstDate: '2026-03-01',
  lastDate: '2026-03-15',
  factor: 1,
  balance: 100_000,
  uncertain: [],
  gaps: [],
};
const DISCONNECTED = { ...CHECKING, lastDate: '2026-03-10', isCarriedForward: false, isListed: false };
/** The account was in EUR before. */
const EUROS: NetWorthAccount = {
  ...CHECKING,
  currency: 'EUR',
  firstDate: '2026-02-01',
  lastDate: '2026-02-28',
  isCurrent: false,
  isCarriedForward: false,
};

const warned = (all: NetWorthAccount[], duplicates: DuplicatePair[] = [], currency = 'USD') =>
  netWorthWarnings({ all, only: null, duplicates }, currency, '2026-03-01', '2026-03-15').map(({ kind, message }) => [
    kind,
    message,
  ]);

describe('the warnings of net worth', () => {
  it('name an account that is no longer synced, and is not part of the newest sums', () => {
    expect(warned([DISCONNECTED])).toEqual([
      ['ends_earlier', 'Checking is known until 2026-03-10 and not part of the sums after that day.'],
    ]);
    expect(warned([{ ...DISCONNECTED, isCurrent: false }])).toEqual([['ends_earlier', expect.any(String)]]);
    expect(warned([{ ...DISCONNECTED, closedOn: '2026-03-12' }])).toEqual([['ends_earlier', expect.any(String)]]);
  });

  it('say with what an account was closed, but of its newest history only', () => {
    const closed = { ...DISCONNECTED, closedOn: '2026-03-10' };
    expect(warned([closed])).toEqual([
      ['closed', 'Checking was closed on 2026-03-10 with $1,000.00, which no longer counts from the next day on.'],
    ]);
    expect(warned([{ ...closed, balance: 0 }])).toEqual([]);
    expect(warned([{ ...EUROS, closedOn: '2026-03-10' }, closed], [], 'EUR')).toEqual([
      ['other_currency', 'Checking is in USD and not part of the sums: no exchange rate is known.'],
    ]);
  });

  it('name a possible duplicate only where the other one counts instead', () => {
    const again = { ...CHECKING, id: 'again', name: 'Checking again', firstDate: '2026-03-11' };
    const pair = [{ disconnectedId: 'checking', replacementId: 'again' }];
    expect(warned([DISCONNECTED, again], pair)).toEqual([
      [
        'possible_duplicate',
        'Checking and Checking again may be the same account; from 2026-03-11 on only the second counts.',
      ],
      ['begins_later', expect.any(String)],
    ]);
    expect(warned([DISCONNECTED, { ...again, isIncluded: false }], pair)).toEqual([
      ['ends_earlier', expect.any(String)],
      ['excluded', 'Checking again was left out of net worth by you.'],
    ]);
  });

  it('count the days whose balance is carried forward as uncertain', () => {
    const stale: NetWorthAccount = { ...CHECKING, lastDate: '2026-03-10', uncertain: [['2026-03-10', '2026-03-10']] };
    expect(warned([stale])).toEqual([
      ['carried_forward', 'Checking is known until 2026-03-10; its balance of that day is carried forward.'],
      ['estimated', 'Checking is not certain on 6 days of the sums.'],
    ]);
    const again = { ...CHECKING, id: 'again', firstDate: '2026-03-13' };
    const pair = [{ disconnectedId: 'checking', replacementId: 'again' }];
    expect(warned([{ ...stale, isListed: false }, again], pair)).toContainEqual([
      'estimated',
      'Checking is not certain on 1 day of the sums.',
    ]);
  });

  it('say nothing of sums that have no day', () => {
    const unsure: NetWorthAccount = { ...CHECKING, uncertain: [['2026-03-01', '2026-03-15']] };
    const of = { all: [unsure, { ...EUROS, id: 'euros' }], only: null, duplicates: [] };
    const kinds = netWorthWarnings(of, 'USD', null, '2026-03-15').map(({ kind }) => kind);
    expect(kinds).toEqual(['other_currency']);
  });

  it('name an excluded account once, also where its currency changed', () => {
    const excluded = [EUROS, CHECKING].map((account) => ({ ...account, isIncluded: false }));
    expect(warned(excluded)).toEqual([['excluded', expect.any(String)]]);
  });
});

describe('the warnings of an account that was in another currency meanwhile', () => {
  const SWITCHED: NetWorthAccount = { ...CHECKING, firstDate: '2026-02-01', gaps: [['2026-02-20', '2026-03-04']] };
  const MEANWHILE = [
    'other_currency',
    'Checking has no balance in USD from 2026-02-20 to 2026-03-04 and is not part of the sums of those days.',
  ];

  it('name the days on which the sums lack it', () => {
    expect(warned([SWITCHED])).toEqual([MEANWHILE]);
    expect(warned([{ ...SWITCHED, gaps: [['2026-02-20', '2026-02-28']] }])).toEqual([]);
    expect(warned([{ ...SWITCHED, lastDate: '2026-03-10', isCarriedForward: false }])).toEqual([
      MEANWHILE,
      ['ends_earlier', expect.any(String)],
    ]);
  });

  it('say no such thing of days on which another account counts instead', () => {
    const again = { ...CHECKING, id: 'again', name: 'Checking again', firstDate: '2026-02-25' };
    const pair = [{ disconnectedId: 'checking', replacementId: 'again' }];
    expect(warned([SWITCHED, again], pair)).toEqual([['possible_duplicate', expect.any(String)]]);
  });
});

describe('the sums lack an account', () => {
  const lacked = (...all: NetWorthAccount[]) =>
    countedIn({ all, only: null, duplicates: [] }, 'USD').accounts.map((account) => account.lacked);

  it('after its last day, unless it is carried forward, was closed, held nothing or went on in another currency', () => {
    const forever = ['2026-03-11', '9999-12-31'];
    expect(lacked(DISCONNECTED)).toEqual([[forever]]);
    expect(lacked({ ...DISCONNECTED, isCurrent: false })).toEqual([[forever]]);
    expect(lacked({ ...DISCONNECTED, closedOn: '2026-03-12' })).toEqual([[['2026-03-11', '2026-03-12']]]);
    expect(lacked(CHECKING)).toEqual([[]]);
    expect(lacked({ ...DISCONNECTED, balance: 0 })).toEqual([[]]);
    expect(lacked({ ...DISCONNECTED, closedOn: '2026-03-10' })).toEqual([[]]);
    expect(lacked({ ...EUROS, currency: 'USD' }, { ...CHECKING, currency: 'EUR' })).toEqual([[]]);
  });
});

describe('the currencies of net worth', () => {
  const currencies = (...all: NetWorthAccount[]) => currenciesOf({ all, only: null, duplicates: [] });
  const of = (currency: string) => ({ ...CHECKING, id: currency, currency });

  it('are those of most accounts first, then alphabetical', () => {
    expect(currencies(of('CHF'), of('EUR'), of('JPY'), of('JPY'))).toEqual(['JPY', 'CHF', 'EUR']);
    expect(currencies(of('JPY'), of('EUR'), of('CHF'))).toEqual(['CHF', 'EUR', 'JPY']);
  });

  it('are those that accounts have now, and of no excluded account', () => {
    expect(currencies(EUROS, CHECKING)).toEqual(['USD']);
    expect(currencies({ ...of('EUR'), isIncluded: false }, CHECKING)).toEqual(['USD']);
  });
});

describe('every balance is known', () => {
  const again = { ...CHECKING, id: 'again', firstDate: '2026-03-11' };
  const duplicates = [{ disconnectedId: 'checking', replacementId: 'again' }];

  it.each([
    ['2026-03-01', '2026-03-11'],
    ['2026-03-01', '2026-03-10'],
    ['2026-03-11', '2026-03-09'],
  ])(
    'from %s on where a possible duplicate ends on %s and the other one begins on 2026-03-11',
    (knownFrom, lastDate) => {
      const all = [{ ...DISCONNECTED, lastDate }, again];
      expect(countedIn({ all, only: null, duplicates }, 'USD').knownFrom).toBe(knownFrom);
    },
  );
});
