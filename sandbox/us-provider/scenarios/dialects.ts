import type { AccountSet, WireAccount, WireOrganization } from '../body.js';
import type { Scenario } from '../scenario.js';

/** Servers that speak the protocol in their own way. */
export const DIALECTS: readonly Scenario[] = [
  { name: 'only-v1', plays: 'An older server that answers in version 1 whatever is asked for.', onlyVersion: 1 },
  { name: 'only-v2', plays: 'A newer server that answers in version 2 whatever is asked for.', onlyVersion: 2 },
  {
    name: 'mixed-dialects',
    plays: 'Version 2 with the deprecated parts of version 1 beside it.',
    onlyVersion: 2,
    body: (set) => ({ ...set, errors: ['A message of the older kind.'], accounts: withOrganizations(set) }),
  },
  {
    name: 'organization-half',
    plays: 'Version 1 whose banks have either a name or a domain.',
    onlyVersion: 1,
    body: (set) => ({ ...set, accounts: set.accounts.map(withHalfOrganization) }),
  },
  {
    name: 'undated-recent',
    plays: 'A request without a start date gets the last 30 days of transactions.',
    habits: { undatedTransactions: 'last 30 days' },
  },
];

function withOrganizations({ accounts, connections = [] }: AccountSet): WireAccount[] {
  return accounts.map((account) => {
    const connection = connections.find(({ conn_id }) => conn_id === account.conn_id);
    return { ...account, org: { name: connection?.org_name, 'sfin-url': connection?.sfin_url ?? '' } };
  });
}

function withHalfOrganization(account: WireAccount, index: number) {
  if (!account.org) return account;
  const { name, domain, ...rest }: WireOrganization = account.org;
  return { ...account, org: index % 2 === 0 ? { name, ...rest } : { domain, ...rest } };
}
