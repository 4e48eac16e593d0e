import type { AccountRow } from '../../accounts/account.response.js';
import { MAX_SEARCH_CHARS } from '../../accounts/account-filter.query.js';
import type { TransactionRow } from '../../accounts/transactions/transaction.response.js';
import type { PendingTotal } from '../../accounts/transactions/transactions.repository.js';
import { anyMoneyText, numberText } from '../components/money.js';
import { Pager } from '../components/pager.js';
import { Field, SelectField } from '../components/form.js';
import { Day } from '../components/when.js';
import { isFiltered, pageHref, type TransactionFilter, unfilteredHref } from './transaction-filter.js';
import { Column } from '../components/table.js';

/** The address of the list alone, a part of the page at `path`. */
export const LIST = 'transactions';

const STATUSES = [
  { value: '', text: 'All' },
  { value: 'true', text: 'Pending' },
  { value: 'false', text: 'Posted' },
];

export interface TransactionsProps {
  /** The address of the list, of an account or of all. */
  path: string;
  /** The account; `null`: all accounts, so that every row names its own. */
  account: AccountRow | null;
  rows: readonly TransactionRow[];
  totalCount: number;
  page: number;
  last: number;
  /** All pending transactions, found or not. */
  pending: readonly PendingTotal[];
  filter: TransactionFilter;
}

export function Transactions(props: TransactionsProps) {
  const { path, account, pending, filter } = props;
  return (
    <section class="card" id="transactions" aria-label="Transactions">
      {account && <h2>Transactions</h2>}
      <form
        class="filter"
        method="get"
        action={`${path}#transactions`}
        hx-get={`${path}/${LIST}`}
        hx-trigger="input delay:250ms, submit"
        hx-sync="this:replace"
        hx-target="#transaction-list"
        hx-swap="outerMorph"
      >
        <Field name="search" label="Search" type="search" value={filter.search} maxLength={MAX_SEARCH_CHARS} />
        <Field name="from" label="From" type="date" value={filter.typed.from} />
        <Field name="to" label="To" type="date" value={filter.typed.to} />
        {(pending.length > 0 || filter.pending !== null) && (
          <SelectField name="pending" label="Status" selected={String(filter.pending ?? '')} options={STATUSES} />
        )}
        <button type="submit" class="second">
          Search
        </button>
        {filter.kept.map(([name, text]) => (
          <input key={name} type="hidden" name={name} value={text} />
        ))}
      </form>
      <TransactionList {...props} />
    </section>
  );
}

/** The part that a search replaces. */
export function TransactionList(props: TransactionsProps) {
  const { path, account, rows, totalCount, page, last, pending, filter } = props;
  return (
    <div id="transaction-list">
      {filter.error && (
        <p class="field-error" role="alert">
          {filter.error}
        </p>
      )}
      <p class="quiet small" role="status">
        {totalCount === 0 && isFiltered(filter) ? (
          <>
            Nothing found. <a href={`${unfilteredHref(path, filter)}#transactions`}>Clear search</a>
          </>
        ) : (
          <>
            {totalCount === 1 ? '1 transaction' : `${numberText(totalCount)} transactions`}
            {isFiltered(filter) && ' found'}
          </>
        )}
      </p>
      {pending.length > 0 && (
        <p class="hint">
          <span class="badge warn">Pending</span>{' '}
          <a href={`${unfilteredHref(path, filter, true)}#transactions`}>{pending.map(pendingText).join(' and ')}</a>:
          authorized but not posted yet. Pending transactions may still change or disappear, and are not counted in the
          balance.
        </p>
      )}
      {rows.length > 0 && <TransactionTable account={account} rows={rows} />}
      <Pager
        label="Pages of transactions"
        page={page}
        last={last}
        href={(page) => `${pageHref(path, filter, page)}#transactions`}
      />
    </div>
  );
}

/** `3 transactions, −$45.20 in total` */
function pendingText({ count, currency, amountMinor }: PendingTotal): string {
  const sum = anyMoneyText(amountMinor, currency);
  return count === 1 ? `1 transaction of ${sum}` : `${numberText(count)} transactions, ${sum} in total`;
}

function TransactionTable({ account, rows }: Pick<TransactionsProps, 'account' | 'rows'>) {
  return (
    <table class="transactions">
      <thead>
        <tr>
          <Column class="wide-only">Date</Column>
          <Column>Description</Column>
          <Column class="number">Amount</Column>
        </tr>
      </thead>
      <tbody>
        {rows.map((row, i) => (
          <tr key={row.id}>
            <td class={`wide-only ${isSameDay(rows, i) ? 'same-day' : ''}`}>
              <Day date={row.date} />
            </td>
            <td>
              <span class={`narrow-only ${isSameDay(rows, i) ? 'hidden-text' : 'day'}`}>
                <Day date={row.date} />
              </span>
              <span class="what">{row.merchant ?? (row.description || 'No description')}</span>
              {row.pending && <span class="badge warn">Pending</span>}
              {saysMore(row) && <span class="quiet small">{row.description}</span>}
              {!account && (
                <a class="quiet small" href={`/accounts/${row.account_id}`}>
                  {row.account_name}
                </a>
              )}
              {account && row.currency !== account.currency && (
                <span class="quiet small">Other currency, not part of the balance</span>
              )}
            </td>
            <td class={`number ${row.amount_minor > 0 ? 'grew' : ''}`}>
              <span class="money">
                {row.amount_minor > 0 ? '+' : ''}
                {anyMoneyText(row.amount_minor, row.currency)}
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A day is shown once; on its other rows only screen readers have it. */
function isSameDay(rows: TransactionsProps['rows'], i: number): boolean {
  return rows[i]?.date === rows[i - 1]?.date;
}

/** Whether the bank's description adds anything to the merchant. */
function saysMore({ merchant, description }: TransactionRow): boolean {
  return merchant !== null && merchant.toLowerCase() !== description.toLowerCase();
}
