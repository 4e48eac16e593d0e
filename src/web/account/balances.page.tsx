import type { AccountRow } from '../../accounts/account.response.js';
import type { BalanceRow } from '../../balances/record/balance.response.js';
import type { UncertainDays } from '../../balances/record/uncertain-days.entity.js';
import { Money } from '../components/money.js';
import { Pager } from '../components/pager.js';
import { Day } from '../components/when.js';
import { Page } from '../layout/document.js';
import { Column, WideTable } from '../components/table.js';
import { levelOn, uncertaintyText } from './chart-views.js';

interface BalancesPageProps {
  account: AccountRow;
  /** The days whose balance is not certain. */
  uncertain: readonly UncertainDays[];
  /** Newest first. */
  rows: readonly BalanceRow[];
  page: number;
  last: number;
}

export function BalancesPage({ account, uncertain, rows, page, last }: BalancesPageProps) {
  const { id, name } = account;
  return (
    <Page
      title={`Daily balances of ${name}`}
      heading="Daily balances"
      back={{ href: `/accounts/${id}`, text: name }}
      lead={rows.length > 0 && <a href={`/accounts/${id}/balances.csv`}>Download CSV</a>}
    >
      <section class="card">
        {rows.length === 0 ? (
          <p class="quiet">There are no balances yet.</p>
        ) : (
          <BalanceTable uncertain={uncertain} rows={rows} />
        )}
        <Pager
          label="Pages of balances"
          page={page}
          last={last}
          href={(page) => `/accounts/${id}/balances?page=${page}`}
        />
      </section>
    </Page>
  );
}

function BalanceTable({ uncertain, rows }: Pick<BalancesPageProps, 'uncertain' | 'rows'>) {
  const hasMarket = rows.some(({ net_market_flows: market }) => market !== 0);
  const hasAdjustment = rows.some((row) => adjustmentOf(row) !== 0);
  const levels = rows.map(({ date }) => levelOn(uncertain, date));
  // Said once of all, as after the first report.
  const common = levels.every((level) => level === levels[0]) ? levels[0] : null;
  return (
    <>
      {common && <p class="quiet small">{uncertaintyText(common, 'these days')}</p>}
      <WideTable label="Daily balances">
        <thead>
          <tr>
            <Column>Day</Column>
            <Column number wideOnly>
              In
            </Column>
            <Column number wideOnly>
              Out
            </Column>
            {hasMarket && (
              <Column number wideOnly>
                Market
              </Column>
            )}
            {hasAdjustment && (
              <Column number wideOnly>
                Adjustment
              </Column>
            )}
            <Column number>Balance</Column>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, i) => (
            <BalanceLine
              key={row.id}
              row={row}
              level={common ? null : (levels[i] ?? null)}
              hasMarket={hasMarket}
              hasAdjustment={hasAdjustment}
            />
          ))}
        </tbody>
      </WideTable>
    </>
  );
}

function adjustmentOf(row: BalanceRow): number {
  return row.cash_adjustments + row.non_cash_adjustments;
}

const CERTAINTY: Record<UncertainDays['level'], string> = { estimated: 'Estimated', unknown: 'Not reported' };

interface BalanceLineProps {
  row: BalanceRow;
  /** How uncertain it is; `null`: it is certain. */
  level: UncertainDays['level'] | null;
  hasMarket: boolean;
  hasAdjustment: boolean;
}

function BalanceLine({ row, level, hasMarket, hasAdjustment }: BalanceLineProps) {
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
        {level && <span class="certainty quiet small">{CERTAINTY[level]}</span>}
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
