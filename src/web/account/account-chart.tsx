import { type AccountSeries, hasAny, runningSums, totals } from '../../balances/account-series.js';
import { addDays } from '../../time/calendar-date.js';
import { Chart } from '../parts/chart.js';
import type { ChartLine } from '../parts/chart-line.js';
import { changeText, moneyText } from '../parts/money.js';
import type { Range } from '../parts/range.js';
import { RangeSwitch } from '../parts/range-switch.js';
import { dayText } from '../parts/when.js';

const VIEWS = [
  { name: 'balance', text: 'Balance' },
  { name: 'parts', text: 'Cash and holdings' },
  { name: 'market', text: 'Market and flows' },
] as const;

export type ChartView = (typeof VIEWS)[number]['name'];

export function chartViewOf(name: unknown): ChartView {
  return VIEWS.find((view) => view.name === name)?.name ?? 'balance';
}

interface AccountChartProps {
  accountId: string;
  currency: string;
  series: AccountSeries;
  view: ChartView;
  range: Range;
}

export function AccountChart({ accountId, currency, series, view, range }: AccountChartProps) {
  const balances = totals(series);
  const days = balances.map((_, i) => addDays(series.firstDay, i));
  const href = (view: string, range: string) => `/accounts/${accountId}?view=${view}&range=${range}`;
  const text = (i: number) => `${moneyText(balances[i] ?? 0, currency)} on ${dayText(days[i] ?? series.firstDay)}`;
  const views = viewsOf(series);
  return (
    <section class="card" aria-label="Balance over time">
      <div class="card-head">
        {views.length > 1 ? (
          <nav class="switch" aria-label="What is shown">
            {views.map(({ name, text }) => (
              <a key={name} href={href(name, range.name)} aria-current={name === view ? 'true' : undefined}>
                {text}
              </a>
            ))}
          </nav>
        ) : (
          <h2>Balance</h2>
        )}
        <RangeSwitch current={range} href={({ name }) => href(view, name)} />
      </div>
      {days.length < 2 && <p class="quiet">The history begins here. From tomorrow on there is a line to draw.</p>}
      {days.length > 1 && (
        <Chart
          name="account"
          currency={currency}
          days={days}
          lines={linesOf(series, view, balances)}
          marks={view === 'balance' ? marksOf(series, currency) : []}
          summary={`From ${text(0)} to ${text(days.length - 1)}.`}
          dayHref={`/accounts/${accountId}/day?view=${view}&range=${range.name}&day=`}
        />
      )}
      <Notes series={series} view={view} />
    </section>
  );
}

/** Only what this account has. */
function viewsOf({ cash, nonCash, market }: AccountSeries) {
  const has = { balance: true, parts: hasAny(cash) && hasAny(nonCash), market: hasAny(market) };
  return VIEWS.filter(({ name }) => has[name]);
}

function linesOf(series: AccountSeries, view: ChartView, balances: readonly number[]): ChartLine[] {
  switch (view) {
    case 'balance':
      return [{ label: 'Balance', values: balances, fill: true }];
    case 'parts':
      return [
        { label: 'Holdings', values: series.nonCash },
        { label: 'Cash', values: series.cash },
      ];
    case 'market':
      return [
        { label: 'What the market did', values: runningSums(series.market) },
        { label: 'Money in and out', values: runningSums(series.flows) },
      ];
  }
}

function marksOf({ adjustments }: AccountSeries, currency: string) {
  return adjustments.flatMap((minor, index) =>
    minor === 0 ? [] : [{ index, text: `Adjustment ${changeText(minor, currency)}` }],
  );
}

/** What a glance at the lines and dots does not tell. */
function Notes({ series, view }: { series: AccountSeries; view: ChartView }) {
  if (view === 'market') return <p class="quiet small">Both lines count from the beginning of the range.</p>;
  if (view === 'parts' || !hasAny(series.adjustments)) return null;
  return (
    <p class="key small">
      <span class="key-mark">Adjustment: a change that no transaction explains</span>
    </p>
  );
}
