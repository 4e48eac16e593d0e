import type { AccountRow } from '../../accounts/account.response.js';
import type { AccountType } from '../../balance-engine/ledger.js';
import { byName } from '../components/names.js';

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
  /** Whether its accounts have no type yet. */
  isUntyped: boolean;
  /** Whether it is collapsed at first. */
  isFolded: boolean;
  accounts: AccountRow[];
}

/** Longer lists are collapsed, except where types are asked for. */
const MAX_UNFOLDED = 20;

/** Accounts by type and name, without empty groups. Ended and hidden accounts come last, collapsed. */
export function groupAccounts(accounts: readonly AccountRow[]): AccountGroup[] {
  const sorted = accounts.toSorted(byName);
  const isPutAway = ({ hidden, closed_on }: AccountRow) => hidden || closed_on !== null;
  const shown = sorted.filter((account) => !isPutAway(account));
  const groups = GROUPS.map(({ title, types }) => ({
    title,
    isUntyped: types.includes(null),
    isFolded: shown.length > MAX_UNFOLDED && !types.includes(null),
    accounts: shown.filter((account) => types.includes(account.account_type)),
  }));
  const putAway = { title: 'Closed and hidden', isUntyped: false, isFolded: true, accounts: sorted.filter(isPutAway) };
  return [...groups, putAway].filter((group) => group.accounts.length > 0);
}
