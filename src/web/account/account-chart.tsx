import { type AccountSeries, hasAny, startBalance, totals } from '../../balances/record/account-series.js';
import type { UncertainDays } from '../../balances/record/uncertain-days.entity.js';
import { addDays, type CalendarDate } from '../../platform/time/calendar-date.js';
import { Chart, largestHref } from '../components/chart.js';
import { Why } from '../components/why.js';
import { type Range, RangeSwitch } from '../components/range.js';
import {
  type ChartView,
  linesOf,
  marketText,
  chartMarksOf,
  unreportedIn,
  uncertaintyText,
  viewsOf,
  whyOf,
} from './chart-views.js';

interface AccountChartProps {
  accountId: string;
  currency: string;
  /** `null`: there are no records in the range. */
  series: AccountSeries | null;
  isDebt: boolean;
  uncertain: readonly UncertainDays[];
  view: ChartView;
  range: Range;
  today: CalendarDate;
}

export function AccountChart(props: AccountChartProps) {
  const { accountId, currency, series, isDebt, view, range, today } = props;
  const path = `/accounts/${accountId}`;
  const views = series ? viewsOf(series) : [];
  return (
    <section class="card" aria-label="Balance over time">
      <div class="card-head">
        {views.length > 1 ? (
          <nav class="switch" aria-label="What is shown">
            {views.map(({ name, text }) => (
              <a
                key={name}
                href={`${path}?view=${name}&${range.query}`}
                aria-current={name === view ? 'true' : undefined}
              >
                {text}
              </a>
            ))}
          </nav>
        ) : (
          <h2>Balance</h2>
        )}
        <RangeSwitch current={range} path={path} rest={{ view }} today={today} />
      </div>
      {series && series.cash.length > 1 ? (
        <>
          <Lines {...props} series={series} />
          <Note {...props} series={series} />
          <details class="chart-note" open={view === 'balance'}>
            <summary>Why it changed</summary>
            <Why lines={whyOf(series, isDebt)} currency={currency} />
          </details>
        </>
      ) : (
        <p class="quiet">
          {series
            ? 'Only one balance so far. The chart begins with the next one.'
            : 'There are no balances in this range.'}
        </p>
      )}
    </section>
  );
}

type LinesProps = AccountChartProps & { series: AccountSeries };

function Lines({ accountId, currency, series, uncertain, view }: LinesProps) {
  const balances = totals(series);
  const days = balances.map((_, i) => addDays(series.firstDay, i));
  return (
    <Chart
      currency={currency}
      days={days}
      lines={linesOf(series, view, balances, unreportedIn(series, uncertain))}
      {...(view === 'balance' && {
        marks: chartMarksOf(series, currency),
        start: { day: addDays(series.firstDay, -1), minor: startBalance(series) },
      })}
      largestHref={largestHref(currency, days, accountId)}
    />
  );
}

/** Explains the lines and dots. */
function Note({ currency, series, uncertain, view }: LinesProps) {
  return (
    <>
      {view === 'market' && <p class="chart-note quiet small">{marketText(series, currency)}</p>}
      {view === 'balance' && hasAny(series.adjustments) && (
        <p class="key chart-note small">
          <span class="key-mark">Adjustment: a change that no transaction explains</span>
        </p>
      )}
      {unreportedIn(series, uncertain).length > 0 && (
        <p class="key chart-note quiet small">
          <span class="key-dashed">{uncertaintyText('unknown', 'these days')}</span>
        </p>
      )}
    </>
  );
}
