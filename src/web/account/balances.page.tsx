import type { AccountRow } from '../../accounts/account.response.js';
import type { BalanceRow } from '../../balances/record/balance.response.js';
import { Money } from '../components/money.js';
import { Pager } from '../components/pager.js';
import { Day } from '../components/when.js';
import { BackLink } from '../components/back-link.js';
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
      <BackLink href={`/accounts/${id}`}>{name}</BackLink>
      <div class="page-head stacked">
        <h1>Daily balances</h1>
        {rows.length > 0 && (
          <a class="button second" href={`/accounts/${id}/balances.csv`}>
            Download CSV
          </a>
        )}
      </div>
      <section class="card">
        {rows.length === 0 ? <p class="quiet">There are no balances yet.</p> : <BalanceTable rows={rows} />}
        <Pager
          label="Pages of balances"
          page={page}
          last={last}
          href={(page) => `/accounts/${id}/balances?page=${page}`}
        />
      </section>
    </Document>
  );
}

function BalanceTable({ rows }: { rows: readonly BalanceRow[] }) {
  const hasMarket = rows.some(({ net_market_flows: market }) => market !== 0);
  const hasAdjustment = rows.some((row) => adjustmentOf(row) !== 0);
  return (
    <div class="table-scroll" tabIndex={0} role="region" aria-label="Daily balances">
      <table>
        <thead>
          <tr>
            <th scope="col">Day</th>
            <th scope="col" class="number wide-only">
              In
            </th>
            <th scope="col" class="number wide-only">
              Out
            </th>
            {hasMarket && (
              <th scope="col" class="number wide-only">
                Market
              </th>
            )}
            {hasAdjustment && (
              <th scope="col" class="number wide-only">
                Adjustment
              </th>
            )}
            <th scope="col" class="number">
              Balance
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <BalanceLine key={row.id} row={row} hasMarket={hasMarket} hasAdjustment={hasAdjustment} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function adjustmentOf(row: BalanceRow): number {
  return row.cash_adjustments + row.non_cash_adjustments;
}

interface BalanceLineProps {
  row: BalanceRow;
  hasMarket: boolean;
  hasAdjustment: boolean;
}

function BalanceLine({ row, hasMarket, hasAdjustment }: BalanceLineProps) {
  const { currency } = row;
  const movements = [
    { label: 'In', minor: row.cash_inflows + row.non_cash_inflows },
    { label: 'Out', minor: row.cash_outflows + row.non_cash_outflows },
    ...(hasMarket ? [{ label: 'Market', minor: row.net_market_flows, change: true }] : []),
    ...(hasAdjustment ? [{ label: 'Adjustment', minor: adjustmentOf(row), change: true }] : []),
  ];
  return (
    <tr>
      <th scope="row" class="one-line">
        <Day date={row.date} />
      </th>
      {movements.map(({ label, minor, change }) => (
        <td key={label} class="number wide-only">
          {minor !== 0 && <Money minor={minor} currency={currency} change={change} />}
        </td>
      ))}
      <td class="number">
        <Money minor={row.end_cash + row.end_non_cash} currency={currency} />
        {movements.map(
          ({ label, minor, change }) =>
            minor !== 0 && (
              <span key={label} class="narrow-only quiet">
                {label} <Money minor={minor} currency={currency} change={change} />
              </span>
            ),
        )}
      </td>
    </tr>
  );
}
