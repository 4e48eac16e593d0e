import type { HouseholdAccount, Household, HouseholdTransaction } from './household.js';

type AccountEdit = (account: HouseholdAccount, index: number) => HouseholdAccount;
type TransactionEdit = (transaction: HouseholdTransaction, index: number) => HouseholdTransaction;

export function eachAccount(household: Household, edit: AccountEdit): Household {
  return { ...household, accounts: household.accounts.map(edit) };
}

/** The account that scenarios change. */
export function firstAccount(household: Household, edit: (account: HouseholdAccount) => HouseholdAccount): Household {
  return eachAccount(household, (account, index) => (index === 0 ? edit(account) : account));
}

export function eachTransaction(household: Household, edit: TransactionEdit): Household {
  return eachAccount(household, (account) => ({ ...account, transactions: account.transactions.map(edit) }));
}

/** The bank's balance includes some transactions that it does not list. */
export function unlisted(
  account: HouseholdAccount,
  isUnlisted: (booking: HouseholdTransaction, index: number) => boolean,
): HouseholdAccount {
  const gone = new Set(account.transactions.filter((item, index) => item.posted !== null && isUnlisted(item, index)));
  return {
    ...account,
    openingMinor: [...gone].reduce((sum, { amountMinor }) => sum + amountMinor, account.openingMinor),
    transactions: account.transactions.filter((item) => !gone.has(item)),
  };
}

/** The account as it was on an earlier day, after which its bank sent nothing. */
export function stale(account: HouseholdAccount, days: number, todayAt: number): HouseholdAccount {
  const until = todayAt - days * 86_400;
  return {
    ...account,
    refreshedAt: account.refreshedAt - days * 86_400,
    availableMinor: null,
    transactions: account.transactions.filter(({ posted }) => posted !== null && posted < until),
  };
}
