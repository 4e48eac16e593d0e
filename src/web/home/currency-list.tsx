import { Money } from '../components/money.js';
import type { Range } from '../components/range.js';
import { Sparkline } from '../components/sparkline.js';
import type { AccountFigures } from './account-figures.js';
import { changeOf, type ComparedHistory, lookOf, totalsOf, valuesOf } from './net-worth-card.js';

interface CurrencyListProps {
  histories: readonly ComparedHistory[];
  /** The currency of the chart below. */
  chosen: string;
  range: Range;
  figures: AccountFigures;
}

/** Those of fewer accounts are folded, so that the chart and the accounts stay in sight. */
const MAX_UNFOLDED = 6;

/** One row per currency, if there are several: they are never added up. */
export function CurrencyList({ histories, ...shown }: CurrencyListProps) {
  if (histories.length < 2) return null;
  const first = histories.length > MAX_UNFOLDED + 1 ? histories.slice(0, MAX_UNFOLDED) : histories;
  const more = histories.slice(first.length);
  return (
    <nav aria-label="Currencies" class="currencies">
      <CurrencyRows histories={first} {...shown} />
      {more.length > 0 && (
        <details open={more.some(({ currency }) => currency === shown.chosen)}>
          <summary class="quiet">{more.length} more currencies</summary>
          <CurrencyRows histories={more} {...shown} />
        </details>
      )}
    </nav>
  );
}

function CurrencyRows({ histories, ...shown }: CurrencyListProps) {
  return (
    <ul class="card rows">
      {histories.map((history) => (
        <CurrencyLine key={history.currency} history={history} {...shown} />
      ))}
    </ul>
  );
}

type CurrencyLineProps = Omit<CurrencyListProps, 'histories'> & { history: ComparedHistory };

function CurrencyLine({ history, chosen, range, figures }: CurrencyLineProps) {
  const { currency } = history;
  const change = changeOf(history);
  return (
    <li class="account-line">
      <div>
        <a href={`/?range=${range.name}&currency=${currency}`} aria-current={currency === chosen ? 'true' : undefined}>
          {currency}
        </a>
      </div>
      <Sparkline values={valuesOf(history)} />
      <p class="amount">
        <Money minor={totalsOf(history, figures).total} currency={currency} />
        {change && (
          <span class={`small ${lookOf(change.minor)}`}>
            <Money minor={change.minor} currency={currency} change />
          </span>
        )}
      </p>
    </li>
  );
}
