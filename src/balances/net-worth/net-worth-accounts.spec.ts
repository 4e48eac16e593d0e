import { comparedIn, countedIn, currenciesOf, type NetWorthAccount, netWorthWarnings } from './net-worth-accounts.js';
import type { DuplicatePair } from '../accounts/duplicates/merge-suggestions.js';

const CHECKING: NetWorthAccount = {
  id: 'checking',
  name: 'Checking',
  currency: 'USD',
  isCurrent: true,
  isCarriedForward: true,
  isListed: true,
  isReversed: false,
  isOwn: false,
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
  netWorthWarnings({ all, only: null, duplicates }, [currency], '2026-03-01', '2026-03-15').map(({ kind, message }) => [
    kind,
    message,
  ]);

describe('netWorthWarnings', () => {
  it('net worth warns of an account that is no longer synced and not part of the newest sums', () => {
    expect(warned([DISCONNECTED])).toEqual([
      ['ends_earlier', 'Checking is known until 2026-03-10 and not part of the sums after that day.'],
    ]);
    expect(warned([{ ...DISCONNECTED, isCurrent: false }])).toEqual([['ends_earlier', expect.any(String)]]);
    expect(warned([{ ...DISCONNECTED, closedOn: '2026-03-12' }])).toEqual([['ends_earlier', expect.any(String)]]);
  });

  it('net worth warns of the balance with which an account was closed, but only in its newest currency', () => {
    const closed = { ...DISCONNECTED, closedOn: '2026-03-10' };
    expect(warned([closed])).toEqual([
      ['closed', 'Checking was closed on 2026-03-10 with $1,000.00, which no longer counts from the next day on.'],
    ]);
    expect(warned([{ ...closed, balance: 0 }])).toEqual([]);
    expect(warned([{ ...EUROS, closedOn: '2026-03-10' }, closed], [], 'EUR')).toEqual([
      ['other_currency', 'Checking is in USD and not part of the sums, which are in one currency.'],
    ]);
  });

  it('net worth warns of a possible duplicate only if the other account counts instead', () => {
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

  it('net worth warns of days with a carried forward balance as uncertain days', () => {
    const stale: NetWorthAccount = {
      ...CHECKING,
      lastDate: '2026-03-10',
      uncertain: [['2026-03-10', '2026-03-10', 'estimated', null]],
    };
    expect(warned([stale])).toEqual([
      ['carried_forward', 'Checking is known until 2026-03-10; its balance of that day is carried forward.'],
      ['estimated', 'Checking is estimated on 6 days of the sums.'],
    ]);
    const again = { ...CHECKING, id: 'again', firstDate: '2026-03-13' };
    const pair = [{ disconnectedId: 'checking', replacementId: 'again' }];
    expect(warned([{ ...stale, isListed: false }, again], pair)).toContainEqual([
      'estimated',
      'Checking is estimated on 1 day of the sums.',
    ]);
  });

  it('net worth does not warn of uncertain days if its sums have no days', () => {
    const unsure: NetWorthAccount = { ...CHECKING, uncertain: [['2026-03-01', '2026-03-15', 'estimated', null]] };
    const of = { all: [unsure, { ...EUROS, id: 'euros' }], only: null, duplicates: [] };
    const kinds = netWorthWarnings(of, ['USD'], null, '2026-03-15').map(({ kind }) => kind);
    expect(kinds).toEqual(['other_currency']);
  });

  it('net worth warns once of an excluded account, even if its currency changed', () => {
    const excluded = [EUROS, CHECKING].map((account) => ({ ...account, isIncluded: false }));
    expect(warned(excluded)).toEqual([['excluded', expect.any(String)]]);
  });
});

describe('netWorthWarnings for an account that was in another currency meanwhile', () => {
  const SWITCHED: NetWorthAccount = { ...CHECKING, firstDate: '2026-02-01', gaps: [['2026-02-20', '2026-03-04']] };
  const MEANWHILE = [
    'other_currency',
    'Checking has no balance in USD from 2026-02-20 to 2026-03-04 and is not part of the sums of those days.',
  ];

  it('net worth warns of the days on which an account was in another currency', () => {
    expect(warned([SWITCHED])).toEqual([MEANWHILE]);
    expect(warned([{ ...SWITCHED, gaps: [['2026-02-20', '2026-02-28']] }])).toEqual([]);
    expect(warned([{ ...SWITCHED, lastDate: '2026-03-10', isCarriedForward: false }])).toEqual([
      MEANWHILE,
      ['ends_earlier', expect.any(String)],
    ]);
  });

  it('net worth does not warn of days in another currency on which a duplicate counts instead', () => {
    const again = { ...CHECKING, id: 'again', name: 'Checking again', firstDate: '2026-02-25' };
    const pair = [{ disconnectedId: 'checking', replacementId: 'again' }];
    expect(warned([SWITCHED, again], pair)).toEqual([['possible_duplicate', expect.any(String)]]);
  });
});

describe('countedIn for days without an account', () => {
  const lacked = (...all: NetWorthAccount[]) =>
    countedIn({ all, only: null, duplicates: [] }, 'USD').map((account) => account.lacked);

  it('net worth lacks an account after its last day, unless it is carried forward, closed, empty or in another currency since', () => {
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

describe('netWorthWarnings for several currencies in one', () => {
  it('an account that was in another currency before does not begin later where both count', () => {
    const of = { all: [EUROS, CHECKING], only: null, duplicates: [] };
    const kinds = (...currencies: string[]) =>
      netWorthWarnings(of, currencies, '2026-02-01', '2026-03-15').map(({ kind }) => kind);
    expect(kinds('USD')).toEqual(['begins_later']);
    expect(kinds('USD', 'EUR')).toEqual([]);
  });
});

describe('currenciesOf', () => {
  const currencies = (...all: NetWorthAccount[]) => currenciesOf({ all, only: null, duplicates: [] });
  const of = (currency: string) => ({ ...CHECKING, id: currency, currency });

  it('the currencies of net worth are sorted by their number of accounts, then alphabetically', () => {
    expect(currencies(of('CHF'), of('EUR'), of('JPY'), of('JPY'))).toEqual(['JPY', 'CHF', 'EUR']);
    expect(currencies(of('JPY'), of('EUR'), of('CHF'))).toEqual(['CHF', 'EUR', 'JPY']);
  });

  it('the currencies of net worth are the current ones of accounts that are not excluded', () => {
    expect(currencies(EUROS, CHECKING)).toEqual(['USD']);
    expect(currencies({ ...of('EUR'), isIncluded: false }, CHECKING)).toEqual(['USD']);
  });
});

describe('comparedIn', () => {
  const since = (id: string, firstDate: string, more: Partial<NetWorthAccount> = {}) => ({
    ...CHECKING,
    id,
    firstDate,
    ...more,
  });
  const compared = (all: NetWorthAccount[], from: string | null, duplicates: DuplicatePair[] = []) => {
    const line = comparedIn(countedIn({ all, only: null, duplicates }, 'USD'), from, '2026-03-15');
    const idsOf = (accounts: readonly { id: string }[]) => accounts.map(({ id }) => id).join(' ');
    return [line.from, idsOf(line.accounts), idsOf(line.later)];
  };

  it('the line of net worth is that of the accounts known over the whole range', () => {
    const all = [since('old', '2024-01-01'), since('older', '2023-05-01'), since('new', '2026-03-15')];
    expect(compared(all, '2025-03-15')).toEqual(['2025-03-15', 'old older', 'new']);
    expect(compared(all, '2026-03-15')).toEqual(['2026-03-15', 'old older new', '']);
  });

  it('the line of net worth begins where accounts times days are most', () => {
    const many = ['b', 'c', 'd'].map((id) => since(id, '2026-01-14'));
    expect(compared([since('a', '2025-09-15'), ...many], null)).toEqual(['2026-01-14', 'a b c d', '']);
    expect(compared([since('a', '2020-09-15'), ...many], null)).toEqual(['2020-09-15', 'a', 'b c d']);
    expect(compared([since('a', '2026-03-15')], null)).toEqual(['2026-03-15', 'a', '']);
  });

  it('the line of net worth has no account whose balance of today is unknown, or that was closed before it begins', () => {
    const closed = since('closed', '2024-01-01', {
      lastDate: '2025-01-01',
      closedOn: '2025-01-01',
      isCarriedForward: false,
    });
    const stopped = since('stopped', '2024-01-01', { lastDate: '2026-03-10', isCarriedForward: false });
    const here = since('here', '2024-01-01');
    expect(compared([closed, stopped, here], '2025-03-15')).toEqual(['2025-03-15', 'here', '']);
    expect(compared([closed, here], '2024-03-15')).toEqual(['2024-03-15', 'closed here', '']);
  });

  it('an account that was in another currency meanwhile is known since it is back', () => {
    const back = since('back', '2026-01-01', { gaps: [['2026-02-20', '2026-03-04']] });
    expect(compared([back, since('here', '2026-01-01')], '2026-02-01')).toEqual(['2026-02-01', 'here', 'back']);
    expect(compared([back], null)).toEqual(['2026-03-05', 'back', '']);
  });

  it.each([
    ['before again', '2026-03-11'],
    ['before again', '2026-03-10'],
    ['', '2026-03-09'],
  ])(
    'the line of net worth has “%s” if a possible duplicate ends on %s and the other one begins the day after the 10th',
    (line, lastDate) => {
      const before = since('before', '2026-03-01', { lastDate, isCarriedForward: false, isListed: false });
      const again = since('again', '2026-03-11');
      const pair = [{ disconnectedId: 'before', replacementId: 'again' }];
      expect(compared([before, again, since('here', '2026-03-01')], '2026-03-01', pair)).toEqual([
        '2026-03-01',
        `${line} here`.trim(),
        line ? '' : 'again',
      ]);
    },
  );
});
