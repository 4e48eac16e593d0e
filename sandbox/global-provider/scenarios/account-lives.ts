import { unixSecondsOf } from '../../../src/platform/time/calendar-date.js';
import type { HouseholdAccount } from '../../household.js';
import { eachAccount, eachTransaction, firstAccount, stale, unlisted } from '../../household-edits.js';
import type { WireAccountList } from '../body.js';
import { NO_SUCH_ACCOUNT, refusal } from '../refusal.js';
import type { Scenario } from '../scenario.js';

const LAPSED_DAYS = 5;

/** What happens to accounts from one sync to the next. */
export const ACCOUNT_LIVES: readonly Scenario[] = [
  {
    name: 'accounts-none',
    plays: 'The person has not switched on any account for this key.',
    accounts: withoutAccounts,
  },
  {
    name: 'accounts-vanish',
    plays: 'The first sync works; then the list of accounts is empty.',
    accounts: (list, { visit }) => (visit > 1 ? withoutAccounts() : list),
  },
  {
    name: 'account-hidden',
    plays: 'The first sync works; then one account is no longer listed and not found.',
    household: (household, { visit }) =>
      visit > 1 ? { ...household, accounts: household.accounts.slice(1) } : household,
  },
  {
    name: 'account-lost',
    plays: 'The first sync works; then one account is still listed and not found by its own calls.',
    instead: ({ account, visit }) => (account === 0 && visit > 1 ? NO_SUCH_ACCOUNT : undefined),
  },
  {
    name: 'consent-lapsed',
    plays: 'The second sync finds one bank disconnected for five days; then it is back, without those days.',
    household: (household, { visit }) => {
      const bank = household.accounts[0]?.connectionId;
      const edit = visit === 2 ? standingStill : visit > 2 ? withGap : (account: HouseholdAccount) => account;
      return eachAccount(household, (account) =>
        account.connectionId === bank ? edit(account, unixSecondsOf(household.today)) : account,
      );
    },
    accounts: (list, { visit }) => (visit === 2 ? withStatus(list, 'DISCONNECTED') : list),
  },
  {
    name: 'account-in-error',
    plays: 'One bank is in the status ERROR and stands still.',
    household: (household) =>
      firstAccount(household, (account) => standingStill(account, unixSecondsOf(household.today))),
    accounts: (list) => withStatus(list, 'ERROR'),
  },
  {
    name: 'sign-reversed',
    plays: 'The first sync works; then the person reverses the signs of one account at the provider.',
    household: (household, { visit }) => (visit > 1 ? firstAccount(household, reversed) : household),
  },
  {
    name: 'value-dates',
    plays: 'The first sync works; then the provider delivers the days of purchase instead of those of posting.',
    household: (household, { visit }) =>
      visit > 1
        ? eachTransaction(household, (item) => (item.posted === null ? item : { ...item, posted: item.transactedAt }))
        : household,
  },
  {
    name: 'holdings-later',
    plays: 'The first sync finds no holdings anywhere; then there are some.',
    instead: ({ call, visit }) => (call === 'holdings' && visit === 1 ? notImplemented() : undefined),
  },
  {
    name: 'holdings-none',
    plays: 'No account has holdings.',
    instead: ({ call }) => (call === 'holdings' ? notImplemented() : undefined),
  },
  {
    name: 'holdings-not-found',
    plays: 'Holdings that are not supported are answered with 404 instead of 501.',
    reply: (reply, { call }) => (call === 'holdings' && reply.status === 501 ? { ...reply, status: 404 } : reply),
  },
  {
    name: 'transactions-not-implemented',
    plays: 'The transactions of one account are answered with 501.',
    instead: ({ call, account }) => (call === 'transactions' && account === 0 ? notImplemented() : undefined),
  },
];

function withoutAccounts(): WireAccountList {
  return { accounts: [], total: 0 };
}

/** All accounts of the first one's bank. */
function withStatus({ accounts, total }: WireAccountList, status: string): WireAccountList {
  const bank = accounts[0]?.connection_id;
  return { accounts: accounts.map((item) => (item.connection_id === bank ? { ...item, status } : item)), total };
}

function standingStill(account: HouseholdAccount, todayAt: number): HouseholdAccount {
  return stale(account, LAPSED_DAYS, todayAt);
}

function withGap(account: HouseholdAccount, todayAt: number): HouseholdAccount {
  return unlisted(account, ({ posted }) => posted !== null && posted >= todayAt - LAPSED_DAYS * 86_400);
}

function reversed(account: HouseholdAccount): HouseholdAccount {
  return {
    ...account,
    openingMinor: -account.openingMinor,
    transactions: account.transactions.map((item) => ({ ...item, amountMinor: -item.amountMinor })),
  };
}

function notImplemented() {
  return refusal(501, 'Not Implemented', 'Not available for this account.');
}
