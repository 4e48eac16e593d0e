import type { NetWorthHistory } from '../../balances/net-worth/net-worth.service.js';
import type { CalendarDate } from '../../time/calendar-date.js';
import { Chart } from '../components/chart.js';
import { Money, moneyText } from '../components/money.js';
import { Day, dayText } from '../components/when.js';

/** Names beyond these are counted. */
const MAX_NAMES = 3;

/** What all accounts of one currency are worth. What is not known is drawn dashed, and no change is counted from it. */
export function NetWorthCard({ history }: { history: NetWorthHistory }) {
  const { currency, accounts, points, knownFrom } = history;
  const values = points.map(({ assets, liabilities }) => assets - liabilities);
  const days = points.map(({ date }) => date);
  const latest = values.at(-1) ?? 0;
  const known = days.findIndex((day) => day >= knownFrom);
  const from = days[known];
  return (
    <section class="card worth" aria-label={`Net worth in ${currency}`}>
      <p class="figure">
        <Money minor={latest} currency={currency} />
      </p>
      <p class="quiet">
        {from && known < days.length - 1 && <Change minor={latest - values[known]!} currency={currency} since={from} />}
        {accounts.length === 1 ? `1 account in ${currency}` : `${accounts.length} accounts in ${currency}`}
      </p>
      {days.length > 1 && (
        <Chart
          name={`worth-${currency}`}
          currency={currency}
          days={days}
          lines={[{ label: 'Net worth', values, fill: true, knownFrom: Math.max(0, known) }]}
          summary={summaryOf(history, from, values[known] ?? latest, latest)}
        />
      )}
      <BeginLater history={history} />
    </section>
  );
}

function Change({ minor, currency, since }: { minor: number; currency: string; since: CalendarDate }) {
  return (
    <>
      <span class={minor < 0 ? 'fell' : 'grew'}>
        <Money minor={minor} currency={currency} change />
      </span>{' '}
      since <Day date={since} />
      {' · '}
    </>
  );
}

/** Which accounts the dashed part of the line lacks. */
function BeginLater({ history: { accounts, points, knownFrom } }: { history: NetWorthHistory }) {
  const first = points[0]?.date ?? knownFrom;
  const names = accounts.filter(({ firstDate }) => firstDate > first).map(({ name }) => name);
  if (names.length === 0 || points.length < 2) return null;
  const [shown, more] = [names.slice(0, MAX_NAMES), names.length - MAX_NAMES];
  return (
    <p class="chart-note quiet small">
      Dashed before <Day date={knownFrom} />: {shown.join(', ')}
      {more > 0 && ` and ${more} more`}{' '}
      {names.length === 1
        ? 'is counted from its first known balance on'
        : 'are counted from their first known balances on'}
      .
    </p>
  );
}

function summaryOf({ currency }: NetWorthHistory, from: CalendarDate | undefined, first: number, latest: number) {
  if (from === undefined) return `${moneyText(latest, currency)} today.`;
  return `From ${moneyText(first, currency)} on ${dayText(from)} to ${moneyText(latest, currency)}.`;
}
