import { lookOf, Money, moneyText } from '../components/money.js';
import type { Range } from '../components/range.js';
import { type AccountFigures, type ComparedHistory, hasSum, totalsOf } from './account-figures.js';
import { changeOf } from './net-worth-card.js';

interface CurrencyListProps {
  histories: readonly ComparedHistory[];
  /** The currency of the chart below. */
  chosen: string;
  /** The chart shows all of them in it. */
  isOne: boolean;
  canExchange: boolean;
  range: Range;
  figures: AccountFigures;
}

/** Those of fewer accounts are folded, so that the chart and the accounts stay in sight. */
const MAX_UNFOLDED = 6;

/** One tab per currency, if there are several, and one for all: they are added up only where the person asks for it. */
export function CurrencyList({ histories, canExchange, ...shown }: CurrencyListProps) {
  const { isOne, chosen, range } = shown;
  if (histories.length < 2 && !isOne) return null;
  const first = histories.length > MAX_UNFOLDED + 1 ? histories.slice(0, MAX_UNFOLDED) : histories;
  const more = histories.slice(first.length);
  return (
    <nav aria-label="Currencies" class="currencies">
      <div class="switch">
        <Tabs histories={first} {...shown} />
        {(canExchange || isOne) && (
          <a href={`/?${range.query}&in=${chosen}`} aria-current={isOne ? 'true' : undefined}>
            All in {chosen}
          </a>
        )}
      </div>
      {more.length > 0 && (
        <details open={!isOne && more.some(({ currency }) => currency === chosen)}>
          <summary class="quiet">{more.length} more currencies</summary>
          <div class="switch">
            <Tabs histories={more} {...shown} />
          </div>
        </details>
      )}
    </nav>
  );
}

function Tabs({ histories, chosen, isOne, range, figures }: Omit<CurrencyListProps, 'canExchange'>) {
  return histories.map((history) => {
    const { currency } = history;
    const change = changeOf(history);
    const total = hasSum(history, figures) ? moneyText(totalsOf(history, figures).total, currency) : 'not known';
    return (
      <a
        key={currency}
        href={`/?${range.query}&currency=${currency}`}
        aria-current={currency === chosen && !isOne ? 'true' : undefined}
      >
        {!total.includes(currency) && `${currency} `}
        <span class="money">{total}</span>{' '}
        {change && (
          <span class={lookOf(change.minor)}>
            <Money minor={change.minor} currency={currency} change />
          </span>
        )}
      </a>
    );
  });
}
