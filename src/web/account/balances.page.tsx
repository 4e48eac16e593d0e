import type { AccountRow } from '../../accounts/account.response.js';
import type { BalanceRow } from '../../balances/record/to-balance-response.js';
import { Money } from '../components/money.js';
import { Day } from '../components/when.js';
import { Document } from '../layout/document.js';

interface BalancesPageProps {
  account: AccountRow;
  /** Newest first. */
  rows: readonly BalanceRow[];
  page: number;
  last: number;
}

export function BalancesPage({ account, rows, page, last }: BalancesPageProps) {
  const { id, name } = account;
  return (
    <Document title={`Daily balances of ${name}`}>
      <a class="back" href={`/accounts/${id}`}>
        ← {name}
      </a>
      <div class="page-head">
        <h1>Daily balances</h1>
        {rows.length > 0 && (
          <a class="button second" href={`/accounts/${id}/balances.csv`}>
            Download CSV
          </a>
        )}
      </div>
      <section class="card">
        {rows.length === 0 ? <p class="quiet">There are no balances yet.</p> : <BalanceTable rows={rows} />}
        <Pager id={id} page={page} last={last} />
      </section>
    </Document>
  );
}

function BalanceTable({ rows }: { rows: readonly BalanceRow[] }) {
  const hasMarket = rows.some(({ net_market_flows: market }) => market !== 0);
  return (
    <div class="table-scroll" tabIndex={0} role="region" aria-label="Daily balances">
      <table>
        <thead>
          <tr>
            <th scope="col">Day</th>
            <th scope="col" class="number">
              In
            </th>
            <th scope="col" class="number">
              Out
            </th>
            {hasMarket && (
              <th scope="col" class="number">
                Market
              </th>
            )}
            <th scope="col" class="number">
              Adjustment
            </th>
            <th scope="col" class="number">
              Balance
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <BalanceLine key={row.id} row={row} hasMarket={hasMarket} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function BalanceLine({ row, hasMarket }: { row: BalanceRow; hasMarket: boolean }) {
  const { currency } = row;
  const cell = (minor: number, change: boolean) => (
    <td class="number">{minor !== 0 && <Money minor={minor} currency={currency} change={change} />}</td>
  );
  return (
    <tr>
      <th scope="row">
        <Day date={row.date} />
      </th>
      {cell(row.cash_inflows + row.non_cash_inflows, false)}
      {cell(row.cash_outflows + row.non_cash_outflows, false)}
      {hasMarket && cell(row.net_market_flows, true)}
      {cell(row.cash_adjustments + row.non_cash_adjustments, true)}
      <td class="number">
        <Money minor={row.end_cash + row.end_non_cash} currency={currency} />
      </td>
    </tr>
  );
}

function Pager({ id, page, last }: { id: string; page: number; last: number }) {
  if (last === 1) return null;
  return (
    <nav class="pager" aria-label="Pages of balances">
      {page > 1 && (
        <a class="button second small" href={`/accounts/${id}/balances?page=${page - 1}`}>
          ← Newer
        </a>
      )}
      <span class="quiet small">
        Page {page} of {last}
      </span>
      {page < last && (
        <a class="button second small" href={`/accounts/${id}/balances?page=${page + 1}`}>
          Older →
        </a>
      )}
    </nav>
  );
}
