import type { NetWorthHistory } from '../../balances/net-worth/net-worth.service.js';
import { Money } from '../components/money.js';
import type { Range } from '../components/range.js';
import { Sparkline } from '../components/sparkline.js';
import { changeOf, lookOf, valuesOf } from './net-worth-change.js';

interface CurrencyListProps {
  histories: readonly NetWorthHistory[];
  /** The currency of the chart below. */
  chosen: string;
  range: Range;
}

/** One row per currency, if there are several: they are never added up. */
export function CurrencyList({ histories, chosen, range }: CurrencyListProps) {
  if (histories.length < 2) return null;
  return (
    <nav aria-label="Currencies">
      <ul class="card rows currencies">
        {histories.map((history) => (
          <CurrencyLine key={history.currency} history={history} isChosen={history.currency === chosen} range={range} />
        ))}
      </ul>
    </nav>
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
