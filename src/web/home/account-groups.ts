import type { AccountRow } from '../../accounts/account.response.js';
import type { AccountType } from '../../balance-engine/ledger.js';

const GROUPS: readonly { title: string; types: readonly (AccountType | null)[] }[] = [
  { title: 'Cash', types: ['depository'] },
  { title: 'Credit cards', types: ['credit_card'] },
  { title: 'Investments', types: ['investment', 'crypto'] },
  { title: 'Property and other', types: ['property', 'vehicle', 'other_asset'] },
  { title: 'Loans', types: ['loan', 'other_liability'] },
  { title: 'Type not known yet', types: [null] },
];

export interface AccountGroup {
  title: string;
  accounts: AccountRow[];
}

/** As a person thinks of them; empty groups are left out. */
export function groupAccounts(accounts: readonly AccountRow[]): AccountGroup[] {
  return GROUPS.map(({ title, types }) => ({
    title,
    accounts: accounts.filter((account) => types.includes(account.account_type)),
  })).filter((group) => group.accounts.length > 0);
}
