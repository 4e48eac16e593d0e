import type { AccountRow } from '../../balances/accounts/account.response.js';
import { MAX_SEARCH_CHARS } from '../../balances/accounts/account-filter.query.js';
import type { TransactionRow } from '../../balances/transactions/transaction.response.js';
import type { PendingTotal, TransactionsRepository } from '../../balances/transactions/transactions.repository.js';
import { MAX_DESCRIPTION_CHARS, MAX_NOTE_CHARS } from '../../balances/own-knowledge/corrections.controller.js';
import { anyMoneyText, numberText } from '../components/money.js';
import { Column, Pager, readPage } from '../components/table.js';
import { Field, FoldedForm, SelectField } from '../components/form.js';
import { Day } from '../components/when.js';
import { type CalendarDate, isCalendarDate } from '../../platform/time/calendar-date.js';
import { type Fields, textOf } from '../components/form-fields.js';
import { currencyCode } from '../../platform/money/currency.js';

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

/** Of an account whose amounts can be counted. */
export function AddTransaction({ account: { id, currency } }: { account: AccountRow }) {
  return (
    <FoldedForm
      class="card"
      title="Add a missing transaction"
      action={`/accounts/${id}/add-transaction`}
      submit="Add"
      look="second"
    >
      <Field id="added-date" name="date" label="Date" type="date" required />
      <Field id="added-amount" name="amount" label="Amount" required hint={`In ${currency}. Negative is money out.`} />
      <Field name="description" label="Description" required maxLength={MAX_DESCRIPTION_CHARS} />
      <Field id="added-note" name="note" label="Note" maxLength={MAX_NOTE_CHARS} />
      <p class="hint">It counts until the bank or a file lists it: then that one counts, once.</p>
    </FoldedForm>
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
      {pending.length > 0 && !isFiltered({ ...filter, pending: null }) && (
        <p class="hint">
          <span class="badge warn">Pending</span>{' '}
          <a href={`${unfilteredHref(path, filter, true)}#transactions`}>{pending.map(pendingText).join(' and ')}</a>:
          authorized but not posted yet. Pending transactions may still change or disappear. The history counts them
          once posted; the balance of today may already include them.
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
          <Column>Description</Column>
          <Column class="number">Amount</Column>
        </tr>
      </thead>
      <tbody>
        {rows.map((row, i) => (
          <tr key={row.id}>
            <td>
              <span class={isSameDay(rows, i) ? 'hidden-text' : 'day quiet small'}>
                <Day date={row.date} />
              </span>
              <a href={`/transactions/${row.id}`}>{row.merchant ?? (row.description || 'No description')}</a>{' '}
              {row.pending && <span class="badge warn">Pending</span>} <Marks row={row} />
              {saysMore(row) && <span class="quiet small">{row.description}</span>}
              {row.note !== null && <span class="quiet small">“{row.note}”</span>}
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
                {row.excluded ? (
                  <s>{anyMoneyText(row.amount_minor, row.currency)}</s>
                ) : (
                  `${row.amount_minor > 0 ? '+' : ''}${anyMoneyText(row.amount_minor, row.currency)}`
                )}
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Where a transaction is not just as the bank lists it. */
export function Marks({ row }: { row: Pick<TransactionRow, 'excluded' | 'corrected' | 'source'> }) {
  return (
    <>
      {row.excluded && <span class="badge">Left out</span>}
      {row.corrected && !row.excluded && <span class="badge">Corrected</span>}
      {row.source === 'person' && <span class="badge">Added by you</span>}
      {row.source === 'file' && <span class="badge">From a file</span>}
    </>
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

const PER_PAGE = 25;
/** What the chart of an account's page shows, and what is left out of the list whatever else is searched. */
const KEPT = ['range', 'counted', 'currency'];
/** The values of the form; an empty one is both. */
const PENDING = new Map([
  ['true', true],
  ['false', false],
]);

/** The filters of a transaction list. */
interface TransactionFilter {
  search: string;
  /** What was typed for the days, also if it is invalid. */
  typed: { from: string; to: string };
  /** `null`: from the beginning. */
  from: CalendarDate | null;
  /** `null`: until the end. */
  to: CalendarDate | null;
  /** `null`: both. */
  pending: boolean | null;
  /** Only transactions in it. `null`: in all currencies. */
  currency: string | null;
  /** Only those that count: none that the person has left out. */
  counted: boolean;
  /** What the address keeps whatever is searched. */
  kept: readonly (readonly [name: string, text: string])[];
  /** Why the days are invalid and were ignored. `null`: they are valid. */
  error: string | null;
}

function readTransactionFilter(query: Fields): TransactionFilter {
  const typed = { from: textOf(query, 'from'), to: textOf(query, 'to') };
  const error = errorOf(typed.from, typed.to);
  const dayOf = (text: string) => (error === null && text !== '' ? text : null);
  return {
    search: textOf(query, 'search').slice(0, MAX_SEARCH_CHARS),
    typed,
    from: dayOf(typed.from),
    to: dayOf(typed.to),
    error,
    pending: PENDING.get(textOf(query, 'pending')) ?? null,
    currency: currencyCode(textOf(query, 'currency')),
    counted: textOf(query, 'counted') === 'true',
    kept: KEPT.map((name) => [name, textOf(query, name)] as const).filter(([, text]) => text !== ''),
  };
}

function errorOf(from: string, to: string): string | null {
  if ([from, to].some((text) => text !== '' && !isCalendarDate(text))) return 'Enter valid dates.';
  return from !== '' && to !== '' && from > to ? '“From” must not be later than “To”.' : null;
}

/**
 * The page of transactions that an address names.
 *
 * @param accountId `null`: in all accounts
 */
export async function findTransactions(
  transactions: TransactionsRepository,
  userId: string,
  accountIds: string[] | null,
  query: Fields,
) {
  const filter = readTransactionFilter(query);
  const { search, from, to, pending: isPending, currency, counted } = filter;
  const wanted = {
    ...(accountIds !== null && { account_id: accountIds }),
    ...(search && { search }),
    ...(from && { start_date: from }),
    ...(to && { end_date: to }),
    ...(isPending !== null && { pending: isPending }),
    ...(currency !== null && { currency: [currency] }),
    ...(counted && { excluded: false }),
  };
  const [found, pending] = await Promise.all([
    readPage(textOf(query, 'page'), PER_PAGE, (page) => transactions.listPage(userId, { ...wanted, ...page })),
    transactions.pendingTotals(userId, accountIds),
  ]);
  return { ...found, pending: pending.filter((one) => currency === null || one.currency === currency), filter };
}

function isFiltered({ search, from, to, pending }: TransactionFilter): boolean {
  return search !== '' || from !== null || to !== null || pending !== null;
}

/** The address of the list at `path` without this filter. */
function unfilteredHref(path: string, { kept }: TransactionFilter, pending: boolean | null = null): string {
  return pageHref(path, { ...readTransactionFilter({}), kept, pending }, 1);
}

/** The address of a page of the same list at `path`. */
export function pageHref(path: string, filter: TransactionFilter, page: number): string {
  const { search, typed, pending, kept } = filter;
  const query = new URLSearchParams({
    ...Object.fromEntries(kept),
    ...(search && { search }),
    ...(typed.from && { from: typed.from }),
    ...(typed.to && { to: typed.to }),
    ...(pending !== null && { pending: String(pending) }),
    page: String(page),
  });
  return `${path}?${query.toString()}`;
}
