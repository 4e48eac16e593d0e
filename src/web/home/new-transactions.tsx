import type { NewTransactions, Visit } from '../../balances/transactions/transactions.repository.js';
import type { TransactionRow } from '../../balances/transactions/transaction.response.js';
import { anyMoneyText, numberText } from '../components/money.js';
import { Day, Moment } from '../components/when.js';

interface NewTransactionsCardProps extends NewTransactions {
  /** `null`: there was none. */
  visit: Visit | null;
}

/** What banks have listed since the last visit; the newest transactions if that is nothing. */
export function NewTransactionsCard({ rows, count, visit }: NewTransactionsCardProps) {
  const title = count === 1 ? '1 new transaction' : `${numberText(count)} new transactions`;
  return (
    <section class="card news" aria-label="What is new">
      <div class="card-head">
        <h2>{count === 0 ? 'Newest transactions' : title}</h2>
        <p class="quiet small">
          {visit && (
            <>
              {count === 0 && 'nothing new '}since <Moment at={visit.at} />
              {' · '}
            </>
          )}
          {visit && count > 0 ? (
            <a href={`/transactions?from=${visit.day}`}>
              All since <Day date={visit.day} />
            </a>
          ) : (
            <a href="/transactions">All transactions</a>
          )}
        </p>
      </div>
      <table>
        <tbody>
          {rows.map((row) => (
            <Row key={row.id} row={row} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Row({ row }: { row: TransactionRow }) {
  const { id, merchant, description, pending, date, account_id: accountId, account_name: account } = row;
  const { amount_minor: minor, currency } = row;
  return (
    <tr>
      <th scope="row">
        <a href={`/transactions/${id}`}>{merchant ?? (description || 'No description')}</a>{' '}
        {pending && <span class="badge warn">Pending</span>}{' '}
        <span class="phrase quiet small">
          <Day date={date} /> · <a href={`/accounts/${accountId}`}>{account}</a>
        </span>
      </th>
      <td class={`number ${minor > 0 ? 'grew' : ''}`}>
        <span class="money">
          {minor > 0 && '+'}
          {anyMoneyText(minor, currency)}
        </span>
      </td>
    </tr>
  );
}
