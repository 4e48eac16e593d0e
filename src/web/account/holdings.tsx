import type { AccountRow } from '../../accounts/account.response.js';
import type { HoldingRow, HoldingTotalRow } from '../../accounts/holdings/holding.response.js';
import { Money } from '../components/money.js';
import { Day } from '../components/when.js';
import { holdsSecurities } from './account-words.js';
import { alignDecimals, priceText, quantityText } from './holding-text.js';

interface HoldingsProps {
  account: AccountRow;
  rows: readonly HoldingRow[];
  totals: readonly HoldingTotalRow[];
}

export function Holdings({ account, rows, totals }: HoldingsProps) {
  if (rows.length === 0) return holdsSecurities(account.account_type) ? <NoHoldings account={account} /> : null;
  const priced = rows.some(({ price }) => price !== null);
  const quantities = alignDecimals(rows.map(({ quantity }) => quantityText(quantity)));
  const prices = alignDecimals(rows.map(({ price, currency }) => (price === null ? '–' : priceText(price, currency))));
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
              <th scope="col" class="number wide-only">
                Quantity
              </th>
              {priced && (
                <th scope="col" class="number wide-only">
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
            {rows.map((row, i) => (
              <HoldingLine
                key={`${row.symbol} ${row.name}`}
                row={row}
                quantity={quantities[i] ?? ''}
                price={priced ? (prices[i] ?? '') : null}
                total={totalOf.get(row.currency) ?? 0}
              />
            ))}
            {totals.map(({ currency, value_minor }) => (
              <tr key={currency} class="total">
                <th scope="row">Total</th>
                <td class="wide-only" />
                {priced && <td class="wide-only" />}
                <td class="number">
                  <Money minor={value_minor} currency={currency} />
                </td>
                <td class="number">100%</td>
              </tr>
            ))}
            <Rest
              account={account}
              date={rows[0]?.date}
              held={totalOf.get(account.currency ?? '') ?? 0}
              priced={priced}
            />
          </tbody>
        </table>
      </div>
    </section>
  );
}

interface RestProps {
  account: AccountRow;
  /** The day the holdings are of. */
  date: string | undefined;
  /** What all holdings in the account's currency are worth. Minor units. */
  held: number;
  priced: boolean;
}

/** What the account holds beside the listed holdings, so that the table ends at the account's own balance. */
function Rest({
  account: { currency, balance_minor: balance, balance_date: balanceDate },
  date,
  held,
  priced,
}: RestProps) {
  if (currency === null || balance === null || balance === held || date !== balanceDate) return null;
  const line = (text: string, minor: number, look: string) => (
    <tr class={look}>
      <th scope="row">{text}</th>
      <td class="wide-only" />
      {priced && <td class="wide-only" />}
      <td class="number">
        <Money minor={minor} currency={currency} />
      </td>
      <td />
    </tr>
  );
  return (
    <>
      {line('Cash and what is not listed', balance - held, '')}
      {line('Account', balance, 'total')}
    </>
  );
}

interface HoldingLineProps {
  row: HoldingRow;
  quantity: string;
  /** `null`: no holding has one. */
  price: string | null;
  /** Of all holdings in its currency. Minor units. */
  total: number;
}

/** Where there is little room, quantity and price stand under the name. */
function HoldingLine({ row, quantity, price, total }: HoldingLineProps) {
  const share = total === 0 ? null : (row.value_minor / total) * 100;
  return (
    <tr>
      <th scope="row">
        {row.symbol && <b>{row.symbol} </b>}
        <span class={row.symbol ? 'quiet' : ''}>{row.name}</span>
        {row.cash_equivalent && ' '}
        {row.cash_equivalent && <span class="badge">Counts as cash</span>}
        <span class="narrow-only quiet small">
          {quantity.trim()}
          {row.price !== null && ` × ${price?.trim()}`}
        </span>
      </th>
      <td class="number wide-only">{quantity}</td>
      {price !== null && <td class="number wide-only">{price}</td>}
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
