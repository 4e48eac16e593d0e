import type { AccountRow } from '../../accounts/account.response.js';
import type { HoldingRow, HoldingTotalRow } from '../../accounts/holdings/holding.response.js';
import { Money } from '../components/money.js';
import { countText, numbersIn } from '../components/number-text.js';
import { Day } from '../components/when.js';
import { holdsSecurities } from './account-words.js';
import { alignDecimals, priceText, quantityText } from './holding-text.js';
import { Column, WideTable } from '../components/table.js';

interface HoldingsProps {
  account: AccountRow;
  /** The most valuable ones. */
  rows: readonly HoldingRow[];
  /** Of all. */
  totals: readonly HoldingTotalRow[];
}

export function Holdings({ account, rows, totals }: HoldingsProps) {
  if (rows.length === 0) return holdsSecurities(account.account_type) ? <NoHoldings account={account} /> : null;
  const priced = rows.some(({ price }) => price !== null);
  const quantities = alignDecimals(rows.map(({ quantity }) => quantityText(quantity)));
  const prices = alignDecimals(rows.map(({ price, currency }) => (price === null ? '–' : priceText(price, currency))));
  const held = totals.find(({ currency }) => currency === account.currency)?.value_minor ?? null;
  const isOfBalance = account.balance_minor !== null && rows[0]?.date === account.balance_date;
  // Holdings in other currencies only, of another day than the balance, add up to nothing in the account's.
  const total = isOfBalance ? account.balance_minor! : held;
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
      <WideTable label="Holdings">
        <thead>
          <tr>
            <Column>Name</Column>
            <Column number wideOnly>
              Quantity
            </Column>
            {priced && (
              <Column number wideOnly>
                Price
              </Column>
            )}
            <Column number>Value</Column>
            <Column number>Share</Column>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, i) => (
            <HoldingLine
              key={`${row.symbol} ${row.name}`}
              row={row}
              quantity={quantities[i] ?? ''}
              price={priced ? (prices[i] ?? '') : null}
              total={row.currency === account.currency ? total : null}
            />
          ))}
          {unlistedOf(rows, totals).map(({ currency, count, minor }) => (
            <SumLine
              key={currency}
              text={count === 1 ? '1 more holding' : `${countText(count)} more holdings`}
              minor={minor}
              total={currency === account.currency ? total : null}
              currency={currency}
              priced={priced}
            />
          ))}
          {account.currency !== null && total !== null && (
            <>
              {total !== held && (
                <SumLine
                  text="Cash and unlisted holdings"
                  minor={total - (held ?? 0)}
                  total={total}
                  currency={account.currency}
                  priced={priced}
                />
              )}
              <SumLine
                text="Total"
                minor={total}
                total={total}
                currency={account.currency}
                priced={priced}
                look="total"
              />
            </>
          )}
        </tbody>
      </WideTable>
    </section>
  );
}

/** What is held beyond the listed rows, by currency. */
function unlistedOf(rows: readonly HoldingRow[], totals: readonly HoldingTotalRow[]) {
  const unlisted = totals.map(({ currency, positions, value_minor: minor }) => {
    const listed = rows.filter((row) => row.currency === currency);
    const rest = listed.reduce((left, row) => left - row.value_minor, minor);
    return { currency, count: positions - listed.length, minor: rest };
  });
  return unlisted.filter(({ count }) => count > 0);
}

interface SumLineProps {
  text: string;
  minor: number;
  /** The total of which shares are taken; `null`: the line is not part of one. */
  total: number | null;
  currency: string;
  priced: boolean;
  look?: string;
}

/** Cash beside the holdings, and the total: the table ends at the account's balance. */
function SumLine({ text, minor, total, currency, priced, look }: SumLineProps) {
  return (
    <tr class={look}>
      <th scope="row">{text}</th>
      <td class="wide-only" />
      {priced && <td class="wide-only" />}
      <td class="number">
        <Money minor={minor} currency={currency} />
      </td>
      <td class="number">{total === null ? '–' : shareText(minor, total)}</td>
    </tr>
  );
}

/** Shares are meaningless where debts make the total negative. */
function shareText(minor: number, total: number): string {
  return total <= 0 ? '–' : numbersIn(`${((minor / total) * 100).toFixed(1)}%`).replace('-', '−');
}

interface HoldingLineProps {
  row: HoldingRow;
  quantity: string;
  /** `null`: no holding has one. */
  price: string | null;
  /** The total of its share; `null`: its currency is excluded from the total. Minor units. */
  total: number | null;
}

/** On narrow screens, quantity and price appear below the name. */
function HoldingLine({ row, quantity, price, total }: HoldingLineProps) {
  return (
    <tr>
      <th scope="row">
        {row.symbol && <b>{row.symbol} </b>}
        <span class={row.symbol ? 'quiet' : ''}>{row.name}</span>
        {(row.cash_equivalent || total === null) && ' '}
        {row.cash_equivalent && <span class="badge">Counts as cash</span>}
        {total === null && <span class="badge">Other currency, not in the total</span>}
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
      <td class="number">{total === null ? '–' : shareText(row.value_minor, total)}</td>
    </tr>
  );
}

function NoHoldings({ account: { holdings_supported } }: { account: AccountRow }) {
  return (
    <section class="card">
      <h2>Holdings</h2>
      <p class="quiet">
        {holdings_supported === false
          ? 'Not available: this provider reports the value of the account, but not its holdings.'
          : 'None reported yet.'}
      </p>
    </section>
  );
}
