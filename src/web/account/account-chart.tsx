import type { AccountSeries } from '../../balances/record/account-series.repository.js';
import type { UncertainDays } from '../../balances/record/uncertain-days.entity.js';
import { addDays, type CalendarDate } from '../../platform/time/calendar-date.js';
import { Chart, largestHref } from '../components/chart.js';
import { Day } from '../components/when.js';
import { Why } from '../components/why.js';
import { type Range, RangeSwitch } from '../components/range.js';
import { chartMarksOf, uncertainIn, uncertaintyText, valueMarksOf, whyOf } from './chart-views.js';

interface AccountChartProps {
  accountId: string;
  currency: string;
  /** `null`: there are no records in the range. */
  series: AccountSeries | null;
  isDebt: boolean;
  /** The days of which a person says what it is worth; `null`: a bank says it. */
  valueDays: readonly CalendarDate[] | null;
  uncertain: readonly UncertainDays[];
  range: Range;
  today: CalendarDate;
}

export function AccountChart(props: AccountChartProps) {
  const { accountId, series, range, today } = props;
  return (
    <section class="card" aria-label="Balance over time">
      <div class="card-head">
        <h2>Balance</h2>
        <RangeSwitch current={range} path={`/accounts/${accountId}`} today={today} />
      </div>
      {series && series.balances.length > 1 && <Line {...props} series={series} />}
      {series ? <Reasons {...props} series={series} /> : <p class="quiet">There are no balances in this range.</p>}
    </section>
  );
}

/** A history of one day has nothing with which it could begin. */
function Reasons({ currency, series, isDebt, valueDays, range }: AccountChartProps & { series: AccountSeries }) {
  const { firstDay, balances } = series;
  if (balances.length === 1 && (range.first === null || range.first < firstDay))
    return (
      <p class="quiet">
        Its balance is known since <Day date={firstDay} />. Why it changed is shown from the next day on.
      </p>
    );
  return (
    <details class="chart-note" open>
      <summary>Why it changed</summary>
      <Why lines={whyOf(series, isDebt, valueDays !== null)} currency={currency} isDebt={isDebt} />
    </details>
  );
}

function Line({ accountId, currency, series, valueDays, uncertain }: AccountChartProps & { series: AccountSeries }) {
  const { balances, firstDay, startMinor } = series;
  const days = balances.map((_, i) => addDays(firstDay, i));
  const { dashed, doubts } = uncertainIn(series, uncertain);
  const isByHand = valueDays !== null;
  const marks = isByHand ? valueMarksOf(series, currency, valueDays) : chartMarksOf(series, currency);
  return (
    <>
      <Chart
        currency={currency}
        days={days}
        line={{ label: 'Balance', values: balances, dashed, doubts }}
        marks={marks}
        start={{ day: addDays(firstDay, -1), minor: startMinor }}
        largestHref={largestHref(currency, days, accountId)}
      />
      {marks.length > 0 && (
        <p class="key chart-note small">
          <span class="key-mark">
            {isByHand ? 'A value that you gave' : 'Adjustment: a change that no transaction explains'}
          </span>
        </p>
      )}
      {dashed.length > 0 && (
        <p class="key chart-note quiet small">
          <span class="key-dashed">{uncertaintyText('unknown', 'these days', isByHand)}</span>
        </p>
      )}
      {doubts.length > 0 && (
        <p class="key chart-note quiet small">
          <span class="key-band">{uncertaintyText('estimated', 'these days', isByHand)}</span>
        </p>
      )}
    </>
  );
}
