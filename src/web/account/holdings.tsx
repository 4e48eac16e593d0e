import type { AccountRow } from '../../accounts/account.response.js';
import type { HoldingRow, HoldingTotalRow } from '../../accounts/holding.response.js';
import { Money } from '../parts/money.js';
import { Day } from '../parts/when.js';
import { holdsSecurities } from './account-words.js';
import { priceText, quantityText } from './holding-text.js';

interface HoldingsProps {
  account: AccountRow;
  rows: readonly HoldingRow[];
  totals: readonly HoldingTotalRow[];
}

export function Holdings({ account, rows, totals }: HoldingsProps) {
  if (rows.length === 0) return holdsSecurities(account.account_type) ? <NoHoldings account={account} /> : null;
  const priced = rows.some(({ price }) => price !== null);
  const totalOf = new Map(totals.map(({ currency, value_minor }) => [currency, value_minor]));
  return (
    <section class="card">
      <div class="card-head">
        <h2>Holdings</h2>
        {rows[0] && (
          <p class="quiet small">
            as of <Day date={rows[0].date} />
          </p>
        )}
      </div>
      <div class="table-scroll" tabIndex={0} role="region" aria-label="Holdings">
        <table>
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col" class="number">
                Quantity
              </th>
              {priced && (
                <th scope="col" class="number">
                  Price
                </th>
              )}
              <th scope="col" class="number">
                Value
              </th>
              <th scope="col" class="number">
                Share
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <HoldingLine
                key={`${row.symbol} ${row.name}`}
                {...{ row, priced }}
                total={totalOf.get(row.currency) ?? 0}
              />
            ))}
            {totals.map(({ currency, value_minor }) => (
              <tr key={currency} class="total">
                <th scope="row" colSpan={priced ? 3 : 2}>
                  Total
                </th>
                <td class="number">
                  <Money minor={value_minor} currency={currency} />
                </td>
                <td class="number">100%</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function HoldingLine({ row, total, priced }: { row: HoldingRow; total: number; priced: boolean }) {
  const share = total === 0 ? null : (row.value_minor / total) * 100;
  return (
    <tr>
      <th scope="row">
        {row.symbol && <b>{row.symbol} </b>}
        <span class={row.symbol ? 'quiet' : ''}>{row.name}</span>
        {row.cash_equivalent && ' '}
        {row.cash_equivalent && <span class="badge">Counts as cash</span>}
      </th>
      <td class="number">{quantityText(row.quantity)}</td>
      {priced && <td class="number">{row.price === null ? '–' : priceText(row.price, row.currency)}</td>}
      <td class="number">
        <Money minor={row.value_minor} currency={row.currency} />
      </td>
      <td class="number">{share === null ? '–' : `${share.toFixed(1)}%`}</td>
    </tr>
  );
}

function NoHoldings({ account: { holdings_supported } }: { account: AccountRow }) {
  return (
    <section class="card">
      <h2>Holdings</h2>
      <p class="quiet">
        {holdings_supported === false
          ? 'Not available from this provider: it tells what the account is worth, not what is in it.'
          : 'None reported so far.'}
      </p>
    </section>
  );
}
