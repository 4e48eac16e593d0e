import type { NetWorthHistory } from '../../balances/net-worth/net-worth.service.js';
import type { CalendarDate } from '../../time/calendar-date.js';
import type { Stretch } from '../components/chart-line.js';
import { Chart } from '../components/chart.js';
import { Money, moneyText } from '../components/money.js';
import { countText } from '../components/number-text.js';
import { Day, dayText } from '../components/when.js';
import { byName } from './account-groups.js';
import type { LackingAccount } from './lacking-accounts.js';
import { type NetWorthChange, changeOf, lookOf, valuesOf } from './net-worth-change.js';

/** Further names are only counted. */
const MAX_NAMES = 3;

interface NetWorthCardProps {
  history: NetWorthHistory;
  /** The accounts missing from the sums. */
  lacking: readonly LackingAccount[];
}

/** The net worth in one currency. Uncertain parts are dashed, and no change is computed from them. */
export function NetWorthCard({ history, lacking }: NetWorthCardProps) {
  const { currency, accounts, points, knownFrom } = history;
  const values = valuesOf(history);
  const change = changeOf(history);
  const days = points.map(({ date }) => date);
  const latest = values.at(-1) ?? 0;
  const known = days.findIndex((day) => day >= knownFrom);
  const uncertain = uncertainStretches(history);
  return (
    <section class="card worth" aria-label={`Net worth in ${currency}`}>
      <p class="figure">
        <Money minor={latest} currency={currency} />
      </p>
      <p class="quiet">
        {change && <ChangeText change={change} currency={currency} />}
        <span class="phrase">
          {accounts.length === 1 ? `1 account in ${currency}` : `${countText(accounts.length)} accounts in ${currency}`}
        </span>
      </p>
      {days.length > 1 && (
        <Chart
          name={`worth-${currency}`}
          currency={currency}
          days={days}
          lines={[{ label: 'Net worth', values, fill: true, knownFrom: Math.max(0, known), uncertain }]}
          summary={summaryOf(currency, latest, change)}
        />
      )}
      <BeginLater history={history} />
      {uncertain.length > 0 && (
        <p class="key chart-note quiet small">
          <span class="key-dashed">Estimated or not reported: some balances of these days are open.</span>
        </p>
      )}
      {lacking.length > 0 && (
        <p class="chart-note quiet small">
          Not included: <Names of={lacking} />.
        </p>
      )}
    </section>
  );
}

/** The stretches of points at which any account is uncertain. */
function uncertainStretches({ accounts, points }: NetWorthHistory): Stretch[] {
  return accounts.flatMap(({ uncertain }) =>
    uncertain.flatMap(([from, until]) => {
      const stretch = {
        from: firstIndex(points, (day) => day >= from),
        until: firstIndex(points, (day) => day > until) - 1,
      };
      return stretch.from <= stretch.until ? [stretch] : [];
    }),
  );
}

/** The first point whose day is late enough, by bisection; the number of points when none is. */
function firstIndex(points: NetWorthHistory['points'], isLate: (day: CalendarDate) => boolean): number {
  let [low, high] = [0, points.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isLate(points[middle]!.date)) high = middle;
    else low = middle + 1;
  }
  return low;
}

function ChangeText({ change, currency }: { change: NetWorthChange; currency: string }) {
  const { minor, since } = change;
  return (
    <>
      <span class={lookOf(change)}>
        <Money minor={minor} currency={currency} change />
      </span>{' '}
      since <Day date={since} />
      {' · '}
    </>
  );
}

/** The accounts missing from the dashed part. */
function BeginLater({ history: { accounts, points, knownFrom } }: { history: NetWorthHistory }) {
  const first = points[0]?.date ?? knownFrom;
  const later = accounts.filter(({ firstDate }) => firstDate > first);
  if (later.length === 0 || points.length < 2) return null;
  return (
    <p class="key chart-note quiet small">
      <span class="key-dashed">
        Incomplete before <Day date={knownFrom} />: <Names of={later} />{' '}
        {later.length === 1 ? 'counts from its first known balance.' : 'count from their first known balances.'}
      </span>
    </p>
  );
}

/** In natural order. Names may run from right to left, the sentence around them does not. */
function Names({ of }: { of: readonly { name: string; why?: string }[] }) {
  const named = of.toSorted(byName).slice(0, MAX_NAMES);
  const more = of.length - named.length;
  return (
    <>
      {named.map(({ name, why }, i) => (
        <>
          {i > 0 && ', '}
          <bdi>{name}</bdi>
          {why && ` (${why})`}
        </>
      ))}
      {more > 0 && ` and ${countText(more)} more`}
    </>
  );
}

function summaryOf(currency: string, latest: number, change: NetWorthChange | null): string {
  if (!change) return `${moneyText(latest, currency)} today.`;
  return `From ${moneyText(latest - change.minor, currency)} on ${dayText(change.since)} to ${moneyText(latest, currency)}.`;
}
