import { stableId } from '../../random.js';
import type { Scenario } from '../scenario.js';
import { eachAccount, firstAccount } from '../../household-edits.js';

/** Ids that are less unique, or less lasting, than one would like. */
export const IDENTITIES: readonly Scenario[] = [
  {
    name: 'shared-transaction-ids',
    plays: 'Every account numbers its transactions from 1: the same ids in all of them.',
    household: (household) =>
      eachAccount(household, (account) => ({
        ...account,
        transactions: account.transactions.map((item, index) =>
          item.posted === null ? item : { ...item, id: `TRN-${index + 1}` },
        ),
      })),
  },
  {
    name: 'duplicate-account',
    plays: 'One account is listed twice in one answer.',
    body: (set) => ({ ...set, accounts: [...set.accounts, ...set.accounts.slice(0, 1)] }),
  },
  {
    name: 'account-readded',
    plays: 'The first sync works; then one account has new ids, as after a bank was removed and added again.',
    household: (household, { visit }) =>
      visit === 1
        ? household
        : firstAccount(household, (account) => ({
            ...account,
            id: stableId('ACT', account.id, 'again'),
            transactions: account.transactions.map((item) => ({ ...item, id: stableId('TRN', item.id, 'again') })),
          })),
  },
  {
    name: 'ids-with-spaces',
    plays: "The accounts' ids are their names, with blanks and brackets.",
    household: (household) => eachAccount(household, (account) => ({ ...account, id: account.name })),
  },
];
