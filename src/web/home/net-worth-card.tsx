import type { NetWorthHistory } from '../../balances/net-worth/net-worth.service.js';
import type { DateRange } from '../../balances/net-worth/net-worth.repository.js';
import type { CalendarDate } from '../../platform/time/calendar-date.js';
import type { Stretch } from '../components/chart-line.js';
import { Chart } from '../components/chart.js';
import { Money, numberText } from '../components/money.js';
import { Names } from '../components/names.js';
import { Day } from '../components/when.js';
import type { LackingAccount } from './account-figures.js';

interface NetWorthCardProps {
  history: NetWorthHistory;
  /** The number of accounts in today's sum. */
  counted: number;
  /** The accounts missing from the sums. */
  lacking: readonly LackingAccount[];
}

/** The net worth in one currency. Incomplete and uncertain parts are dashed, and the change is that of the same accounts. */
export function NetWorthCard({ history, counted, lacking }: NetWorthCardProps) {
  const { currency, accounts, points, knownFrom } = history;
  const values = valuesOf(history);
  const change = changeOf(history);
  const days = points.map(({ date }) => date);
  const latest = values.at(-1) ?? 0;
  const known = firstIndex(points, (day) => day >= knownFrom);
  const uncertain = stretchesOf(
    points,
    accounts.flatMap(({ uncertain }) => uncertain),
  );
  const lacked = accounts.flatMap(({ lacked }) => lacked);
  return (
    <section class="card worth" aria-label={`Net worth in ${currency}`}>
      <p class="figure">
        <Money minor={latest} currency={currency} />
      </p>
      <p class="quiet">
        {change && <ChangeText change={change} currency={currency} />}
        <span class="phrase">{countedText(counted, currency)}</span>
      </p>
      {days.length > 1 && (
        <>
          <Chart
            name={`worth-${currency}`}
            currency={currency}
            days={days}
            lines={[
              {
                label: 'Net worth',
                values,
                fill: true,
                knownFrom: known,
                uncertain: [...uncertain, ...stretchesOf(points, lacked)],
                comparedFrom: change?.index ?? values.length - 1,
              },
            ]}
          />
          <BeginLater history={history} />
          <HaveGaps history={history} />
          <EndEarlier history={history} />
          {uncertain.length > 0 && (
            <p class="key chart-note quiet small">
              <span class="key-dashed">Dashed: some accounts are estimated or were not reported on these days.</span>
            </p>
          )}
        </>
      )}
      {lacking.length > 0 && (
        <p class="chart-note quiet small">
          Not included: <Names of={lacking} />.
        </p>
      )}
    </section>
  );
}

function countedText(counted: number, currency: string): string {
  if (counted === 0) return `No account counts in ${currency} today`;
  return `${counted === 1 ? '1 account' : `${numberText(counted)} accounts`} in ${currency}`;
}

/** The points in ranges of days. */
function stretchesOf(points: NetWorthHistory['points'], ranges: readonly DateRange[]): Stretch[] {
  return ranges.flatMap(([from, until]) => {
    const stretch = {
      from: firstIndex(points, (day) => day >= from),
      until: firstIndex(points, (day) => day > until) - 1,
    };
    return stretch.from <= stretch.until ? [stretch] : [];
  });
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
  if (later.length === 0) return null;
  return (
    <p class="key chart-note quiet small">
      <span class="key-dashed">
        Before <Day date={knownFrom} /> the total leaves out <Names of={later} />;{' '}
        {later.length === 1 ? 'its balance then is unknown.' : 'their balances then are unknown.'}
      </span>
    </p>
  );
}

/** The accounts missing from dashed parts after which they count again. */
function HaveGaps({ history: { currency, accounts, points } }: { history: NetWorthHistory }) {
  return accounts.flatMap((account) =>
    account.lacked
      .filter(([from, until]) => from <= account.lastDate && stretchesOf(points, [[from, until]]).length > 0)
      .map(([from, until]) => (
        <p class="key chart-note quiet small">
          <span class="key-dashed">
            Incomplete from <Day date={from} /> to <Day date={until} />: <Names of={[account]} /> has no balance in{' '}
            {currency}.
          </span>
        </p>
      )),
  );
}

/** The accounts missing from the dashed end. */
function EndEarlier({ history: { accounts, points } }: { history: NetWorthHistory }) {
  const stopped = accounts.flatMap(({ name, lastDate, lacked }) => {
    const end = lacked.find((range) => range[0] > lastDate && stretchesOf(points, [range]).length > 0);
    return end ? [{ name, from: end[0] }] : [];
  });
  const [first] = stopped.map(({ from }) => from).sort();
  if (first === undefined) return null;
  return (
    <p class="key chart-note quiet small">
      <span class="key-dashed">
        Incomplete from <Day date={first} />: <Names of={stopped} />{' '}
        {stopped.length === 1 ? 'counts until its last known balance.' : 'count until their last known balances.'}
      </span>
    </p>
  );
}

interface NetWorthChange {
  minor: number;
  since: CalendarDate;
  /** The reference point. */
  index: number;
}

export function valuesOf({ points }: NetWorthHistory): number[] {
  return points.map(({ assets, liabilities }) => assets - liabilities);
}

/** The colour of a change. */
export function lookOf({ minor }: NetWorthChange): string {
  return minor === 0 ? '' : minor < 0 ? 'fell' : 'grew';
}

/** Since the first point from which on the same accounts count; `null` when that is the newest or there is none. */
export function changeOf(history: NetWorthHistory): NetWorthChange | null {
  const { points, turns } = history;
  const today = points.at(-1)?.date ?? '';
  const from = turns.findLast((day) => day <= today) ?? '';
  const index = points.findIndex(({ date }) => date >= from);
  if (index < 0 || index >= points.length - 1) return null;
  const values = valuesOf(history);
  return { minor: values.at(-1)! - values[index]!, since: points[index]!.date, index };
}
