import type { AccountRow } from '../../accounts/account.response.js';
import { MAX_SEARCH_CHARS } from '../../accounts/transactions/list-transactions.query.js';
import { type TransactionRow, toTransactionResponse } from '../../accounts/transactions/transaction.response.js';
import { Field } from '../components/field.js';
import { Day } from '../components/when.js';
import { isFiltered, pageCount, pageHref, type TransactionFilter } from './transaction-filter.js';

export interface TransactionsProps {
  account: AccountRow;
  rows: readonly TransactionRow[];
  totalCount: number;
  filter: TransactionFilter;
}

export function Transactions(props: TransactionsProps) {
  const { account, filter } = props;
  return (
    <section class="card" id="transactions">
      <h2>Transactions</h2>
      <form
        class="filter"
        method="get"
        action={`/accounts/${account.id}#transactions`}
        hx-get={`/accounts/${account.id}/transactions`}
        hx-trigger="input delay:250ms, submit"
        hx-target="#transaction-list"
        hx-swap="outerHTML"
      >
        <Field name="search" label="Search" type="search" value={filter.search} maxLength={MAX_SEARCH_CHARS} />
        <Field name="from" label="From" type="date" value={filter.from ?? ''} />
        <Field name="to" label="To" type="date" value={filter.to ?? ''} />
        <button type="submit" class="second">
          Search
        </button>
      </form>
      <TransactionList {...props} />
    </section>
  );
}

/** The part that changes with what is searched for. */
export function TransactionList({ account, rows, totalCount, filter }: TransactionsProps) {
  return (
    <div id="transaction-list">
      <p class="quiet small" role="status">
        {totalCount === 1 ? '1 transaction' : `${totalCount.toLocaleString('en-US')} transactions`}
        {isFiltered(filter) && ' found'}
      </p>
      {rows.some(({ pending }) => pending) && (
        <p class="hint">
          <span class="badge warn">Pending</span> means authorised but not posted yet: it may still change or disappear,
          and it is not counted in the balance.
        </p>
      )}
      {rows.length > 0 && <TransactionTable account={account} rows={rows} />}
      <Pager accountId={account.id} filter={filter} totalCount={totalCount} />
    </div>
  );
}

function TransactionTable({ account, rows }: { account: AccountRow; rows: readonly TransactionRow[] }) {
  return (
    <table class="transactions">
      <thead>
        <tr>
          <th scope="col">Date</th>
          <th scope="col">What</th>
          <th scope="col" class="number">
            Amount
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row, i) => (
          <tr key={row.id}>
            <td class={row.date === rows[i - 1]?.date ? 'same-day' : ''}>
              <Day date={row.date} />
            </td>
            <td>
              <span class="what">{row.merchant ?? row.description}</span>
              {row.pending && <span class="badge warn">Pending</span>}
              {saysMore(row) && <span class="quiet small">{row.description}</span>}
              {row.currency !== account.currency && (
                <span class="quiet small">In another currency, not part of the balance</span>
              )}
            </td>
            <td class={`number ${row.amount_minor > 0 ? 'grew' : ''}`}>
              {row.amount_minor > 0 ? '+' : ''}
              {toTransactionResponse(row).amount.replace('-', '−')}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Whether the bank's own words tell anything beside the merchant. */
function saysMore({ merchant, description }: TransactionRow): boolean {
  return merchant !== null && merchant.toLowerCase() !== description.toLowerCase();
}

interface PagerProps {
  accountId: string;
  filter: TransactionFilter;
  totalCount: number;
}

function Pager({ accountId, filter, totalCount }: PagerProps) {
  const last = pageCount(totalCount);
  if (last === 1 && filter.page === 1) return null;
  const href = (page: number) => `${pageHref(accountId, filter, page)}#transactions`;
  return (
    <nav class="pager" aria-label="Pages of transactions">
      {filter.page > 1 && (
        <a class="button second small" href={href(Math.min(filter.page - 1, last))}>
          ← Newer
        </a>
      )}
      <span class="quiet small">
        Page {filter.page} of {last}
      </span>
      {filter.page < last && (
        <a class="button second small" href={href(filter.page + 1)}>
          Older →
        </a>
      )}
    </nav>
  );
}
