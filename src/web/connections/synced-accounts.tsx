import type { SyncedAccountResponse } from '../../sync/runs/sync.response.js';
import { numberText } from '../components/money.js';
import { Column } from '../components/table.js';

/** The result for every account. */
export function SyncedAccounts({ accounts }: { accounts: readonly SyncedAccountResponse[] }) {
  if (accounts.length === 0) return null;
  return (
    <details>
      <summary class="small">Account by account</summary>
      <table class="small counts">
        <thead>
          <tr>
            <Column>Account</Column>
            <Column class="number">New</Column>
            <Column class="number">Changed</Column>
            <Column class="number">Removed</Column>
          </tr>
        </thead>
        <tbody>
          {accounts.map((account, i) => (
            <AccountLine key={account.account_id ?? i} account={account} />
          ))}
        </tbody>
      </table>
    </details>
  );
}

function AccountLine({ account }: { account: SyncedAccountResponse }) {
  const { account_id: id, name, problems } = account;
  const hasFailure = problems.some(({ severity }) => severity === 'failure');
  return (
    <tr>
      <th scope="row">
        {id === null ? name : <a href={`/accounts/${id}`}>{name}</a>}
        {hasFailure && ' '}
        {hasFailure && <span class="badge warn">{id === null ? 'Failed' : 'Problems'}</span>}
      </th>
      <td class="number">{numberText(account.transactions_added)}</td>
      <td class="number">{numberText(account.transactions_updated)}</td>
      <td class="number">{numberText(account.transactions_removed)}</td>
    </tr>
  );
}
