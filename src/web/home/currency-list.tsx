import type { NetWorthHistory } from '../../balances/net-worth/net-worth.service.js';
import { Money } from '../components/money.js';
import type { Range } from '../components/range.js';
import { Sparkline } from '../components/sparkline.js';
import { changeOf, lookOf, valuesOf } from './net-worth-card.js';

interface CurrencyListProps {
  histories: readonly NetWorthHistory[];
  /** The currency of the chart below. */
  chosen: string;
  range: Range;
}

/** Those of fewer accounts are folded, so that the chart and the accounts stay in sight. */
const MAX_UNFOLDED = 6;

/** One row per currency, if there are several: they are never added up. */
export function CurrencyList({ histories, chosen, range }: CurrencyListProps) {
  if (histories.length < 2) return null;
  const shown = histories.length > MAX_UNFOLDED + 1 ? histories.slice(0, MAX_UNFOLDED) : histories;
  const more = histories.slice(shown.length);
  return (
    <nav aria-label="Currencies" class="currencies">
      <CurrencyRows histories={shown} chosen={chosen} range={range} />
      {more.length > 0 && (
        <details open={more.some(({ currency }) => currency === chosen)}>
          <summary class="quiet">{more.length} more currencies</summary>
          <CurrencyRows histories={more} chosen={chosen} range={range} />
        </details>
      )}
    </nav>
  );
}

function CurrencyRows({ histories, chosen, range }: CurrencyListProps) {
  return (
    <ul class="card rows">
      {histories.map((history) => (
        <CurrencyLine key={history.currency} history={history} isChosen={history.currency === chosen} range={range} />
      ))}
    </ul>
  );
}

function CurrencyLine({ history, isChosen, range }: { history: NetWorthHistory; isChosen: boolean; range: Range }) {
  const { currency } = history;
  const values = valuesOf(history);
  const change = changeOf(history);
  // Only the known part: the rest would look like growth.
  const known = change ? values.slice(change.index) : [];
  return (
    <li class="account-line">
      <div>
        <a href={`/?range=${range.name}&currency=${currency}`} aria-current={isChosen ? 'true' : undefined}>
          {currency}
        </a>
      </div>
      <Sparkline values={known} />
      <p class="amount">
        <Money minor={values.at(-1) ?? 0} currency={currency} />
        {change && (
          <span class={`small ${lookOf(change)}`}>
            <Money minor={change.minor} currency={currency} change />
          </span>
        )}
      </p>
    </li>
  );
}
