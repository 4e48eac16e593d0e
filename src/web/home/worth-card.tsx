import type { CurrencyWorth } from '../../balances/worth.js';
import { Chart } from '../parts/chart.js';
import { Money, moneyText } from '../parts/money.js';
import { Day, dayText } from '../parts/when.js';

export function WorthCard({ worth }: { worth: CurrencyWorth }) {
  const { currency, days, values, latest, change, beginLater, accounts } = worth;
  const from = days[0];
  return (
    <section class="card worth" aria-label={`Net worth in ${currency}`}>
      <p class="figure">
        <Money minor={latest} currency={currency} />
      </p>
      <p class="quiet">
        {from && days.length > 1 && (
          <>
            <span class={change < 0 ? 'fell' : 'grew'}>
              <Money minor={change} currency={currency} change />
            </span>{' '}
            since <Day date={from} />
            {' · '}
          </>
        )}
        {accounts === 1 ? `1 account in ${currency}` : `${accounts} accounts in ${currency}`}
      </p>
      {from && days.length > 1 && (
        <Chart
          name={`worth-${currency}`}
          currency={currency}
          days={days}
          lines={[{ label: 'Net worth', values, fill: true }]}
          summary={`From ${moneyText(values[0] ?? 0, currency)} on ${dayText(from)} to ${moneyText(latest, currency)}.`}
        />
      )}
      {beginLater > 0 && (
        <p class="chart-note quiet small">
          {beginLater === 1 ? 'The history of 1 account begins' : `The histories of ${beginLater} accounts begin`} later
          than this range. Before that, the first known balance is counted.
        </p>
      )}
    </section>
  );
}
