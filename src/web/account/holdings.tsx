import type { AccountRow } from '../../balances/accounts/account.response.js';
import type {
  HoldingPage,
  HoldingRow,
  HoldingTotalRow,
  ReportedTotalRow,
} from '../../balances/holdings/holding.response.js';
import { alignDecimals, Money, numberText, priceText } from '../components/money.js';
import { Notice } from '../components/notice.js';
import { Day } from '../components/when.js';
import { holdsSecurities } from './account-labels.js';
import { Column, WideTable } from '../components/table.js';

const MAX_PRICE_DIGITS = 4;
const MAX_QUANTITY_DIGITS = 8;

interface HoldingsProps extends HoldingPage {
  account: AccountRow;
}

export function Holdings({ account, rows, totals, reportedTotals }: HoldingsProps) {
  const [first] = rows;
  if (!first) return holdsSecurities(account.account_type) ? <NoHoldings account={account} /> : null;
  const held = totals.find(({ currency }) => currency === account.currency)?.value_minor ?? null;
  const isOfBalance = account.balance_minor !== null && first.date === account.balance_date;
  // `null`: the holdings are of another day than the balance, and all in other currencies.
  const total = isOfBalance ? account.balance_minor : held;
  const totalIn = (currency: string) => (currency === account.currency ? total : null);
  const priced = rows.some(({ price }) => price !== null);
  const quantities = alignDecimals(
    rows.map(({ quantity }) => numberText(quantity, { maximumFractionDigits: MAX_QUANTITY_DIGITS })),
  );
  const prices = alignDecimals(
    rows.map(({ price, currency }) => (price === null ? '–' : priceText(price, currency, MAX_PRICE_DIGITS))),
  );
  return (
    <section class="card">
      <div class="card-head">
        <h2>Holdings</h2>
        <p class="quiet small">
          as of <Day date={first.date} />
        </p>
      </div>
      <WideTable label="Holdings">
        <HoldingColumns priced={priced} />
        <tbody>
          {rows.map((row, i) => (
            <HoldingLine
              key={`${row.symbol} ${row.name}`}
              row={row}
              quantity={quantities[i] ?? ''}
              price={priced ? (prices[i] ?? '') : null}
              total={totalIn(row.currency)}
            />
          ))}
          {[...unlistedSums(rows, totals), ...finalSums(account.currency, held, total)].map((sum) => (
            <SumLine key={`${sum.text} ${sum.currency}`} {...sum} total={totalIn(sum.currency)} priced={priced} />
          ))}
        </tbody>
      </WideTable>
      {reportedTotals.map((reported) => (
        <ReportedTotal key={reported.account_id} reported={reported} totals={totals} balance={total} />
      ))}
    </section>
  );
}

interface ReportedTotalProps {
  reported: ReportedTotalRow;
  totals: readonly HoldingTotalRow[];
  /** Of the table, with cash. */
  balance: number | null;
}

/** Nothing where it is the sum, with cash or without. Where the provider converts currencies, the two cannot be compared. */
function ReportedTotal({ reported: { currency, value_minor: minor }, totals, balance }: ReportedTotalProps) {
  const [held, ...others] = totals;
  const total = <Money minor={minor} currency={currency} />;
  if (held?.currency !== currency || others.length > 0) {
    return <p class="quiet small">The provider’s own total, with its exchange rates: {total}</p>;
  }
  const differenceMinor = minor - held.value_minor;
  if (differenceMinor === 0 || minor === balance) return null;
  return (
    <Notice kind="warn">
      The provider reports a total of {total}, <Money minor={Math.abs(differenceMinor)} currency={currency} />{' '}
      {differenceMinor > 0 ? 'more' : 'less'} than these holdings add up to.
    </Notice>
  );
}

function HoldingColumns({ priced }: { priced: boolean }) {
  return (
    <thead>
      <tr>
        <Column>Name</Column>
        <Column class="number wide-only">Quantity</Column>
        {priced && <Column class="number wide-only">Price</Column>}
        <Column class="number">Value</Column>
        <Column class="number">Share</Column>
      </tr>
    </thead>
  );
}

/** A line below the holdings. */
interface Sum {
  text: string;
  minor: number;
  currency: string;
  look?: string;
}

/** What is held beyond the listed rows, by currency. */
function unlistedSums(rows: readonly HoldingRow[], totals: readonly HoldingTotalRow[]): Sum[] {
  return totals.flatMap(({ currency, positions, value_minor: minor }) => {
    const listed = rows.filter((row) => row.currency === currency);
    const count = positions - listed.length;
    if (count <= 0) return [];
    const text = count === 1 ? '1 more holding' : `${numberText(count)} more holdings`;
    return { text, minor: listed.reduce((left, row) => left - row.value_minor, minor), currency };
  });
}

/** Cash beside the holdings, and the total: the table ends at the account's balance. */
function finalSums(currency: string | null, held: number | null, total: number | null): Sum[] {
  if (currency === null || total === null) return [];
  const sum = { text: 'Total', minor: total, currency, look: 'total' };
  if (total === held) return [sum];
  return [{ text: 'Cash and unlisted holdings', minor: total - (held ?? 0), currency }, sum];
}

interface SumLineProps extends Sum {
  /** The total of which shares are taken; `null`: the line is not part of one. */
  total: number | null;
  priced: boolean;
}

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
  return total <= 0 ? '–' : numberText(minor / total, { style: 'percent', minimumFractionDigits: 1 });
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
