import { unixSecondsOf } from '../../../src/platform/time/calendar-date.js';
import type { Household } from '../../household.js';
import type { AccountSet } from '../body.js';
import type { Scenario } from '../scenario.js';
import type { Trouble } from '../body.js';
import { eachAccount, firstAccount, stale, unlisted } from '../../household-edits.js';

/** Trouble of one bank or account inside an answer that is otherwise good. */
export const BANK_TROUBLES: readonly Scenario[] = [
  {
    name: 'bank-needs-login',
    plays: 'The login at one bank must be renewed; its accounts stand still for five days, the others are well.',
    household: (household) =>
      eachAccount(household, (account) =>
        account.connectionId === troubled(household).id ? stale(account, 5, unixSecondsOf(household.today)) : account,
      ),
    troubles: (household) => [
      {
        code: 'con.auth',
        message: `${troubled(household).name} needs a new sign-in.`,
        connectionId: troubled(household).id,
      },
    ],
  },
  {
    name: 'account-failed',
    plays: 'One account could not be read: an old balance, no transactions.',
    household: (household) =>
      firstAccount(household, (account) => unlisted(stale(account, 2, unixSecondsOf(household.today)), () => true)),
    troubles: (household) => [ofFirstAccount(household, 'act.failed', 'could not be read, try later.')],
  },
  {
    name: 'data-missing',
    plays: 'One account lists two of three transactions, and says so.',
    household: (household) => firstAccount(household, (account) => unlisted(account, (_, index) => index % 3 === 0)),
    troubles: (household) => [ofFirstAccount(household, 'act.missingdata', 'transaction list incomplete.')],
  },
  { name: 'accounts-empty', plays: 'The list of accounts is always empty.', body: withoutAccounts },
  {
    name: 'accounts-vanish',
    plays: 'The first sync works; then the list of accounts is empty.',
    body: (set, { visit }) => (visit > 1 ? withoutAccounts(set) : set),
  },
  {
    name: 'account-closed',
    plays: 'The first sync works; then one account is no longer listed.',
    household: (household, { visit }) =>
      visit > 1 ? { ...household, accounts: household.accounts.slice(1) } : household,
  },
  {
    name: 'window-capped',
    plays: 'Only the newest 30 days of any range are answered, with the notice of a cut.',
    habits: { windowLimits: { adviceDays: 45, capDays: 30 } },
  },
  {
    name: 'window-advice',
    plays: 'Every range is complete and draws the advice to ask for less.',
    habits: { windowLimits: { adviceDays: 0, capDays: 90 } },
  },
  {
    name: 'window-capped-v1',
    plays: 'As `window-capped`, by an older server that answers in version 1.',
    habits: { windowLimits: { adviceDays: 45, capDays: 30 } },
    onlyVersion: 1,
  },
  {
    name: 'window-advice-v1',
    plays: 'As `window-advice`, by an older server that answers in version 1.',
    habits: { windowLimits: { adviceDays: 0, capDays: 90 } },
    onlyVersion: 1,
  },
  {
    name: 'error-unknown-code',
    plays: 'Two errors with codes that the protocol does not know.',
    troubles: (household) => [
      { code: 'con.newthing', message: 'Something new happened.', connectionId: troubled(household).id },
      { code: 'zzz.surprise', message: 'Something unheard of happened.' },
    ],
  },
  {
    name: 'error-message-key',
    plays: 'An error whose text stands under another key.',
    body: (set) => withError(set, { code: 'gen.', message: 'Text under the other key.' }, 'Text under the other key.'),
  },
  {
    name: 'error-plain-text',
    plays: 'A plain text among the structured errors.',
    body: (set) => withError(set, 'Just a text.', 'Just a text.'),
  },
];

function troubled({ connections }: Household) {
  const connection = connections[1] ?? connections[0];
  if (!connection) throw new RangeError('this scenario needs a household with a bank');
  return connection;
}

function ofFirstAccount({ accounts: [account] }: Household, code: string, words: string): Trouble {
  return { code, message: `${account?.name}: ${words}`, accountId: account?.id };
}

function withoutAccounts(set: AccountSet): AccountSet {
  return { ...set, accounts: [] };
}

function withError(set: AccountSet, structured: unknown, text: string) {
  return set.errlist
    ? { ...set, errlist: [...set.errlist, structured] }
    : { ...set, errors: [...(set.errors ?? []), text] };
}
