import type { ComponentChildren } from 'preact';
import type { ComparedAccounts, CountedAccount } from '../../balances/net-worth/net-worth-accounts.js';
import type { PendingTotal } from '../../balances/transactions/transactions.repository.js';
import type { CurrencyChange } from '../../balances/net-worth/net-worth-changes.js';
import { addDays, type CalendarDate, daysBetween, earliest, latest } from '../../platform/time/calendar-date.js';
import { type Doubt, seenDoubts, type Stretch } from '../components/chart-line.js';
import { Chart, largestHref } from '../components/chart.js';
import { lookOf, Money, numberText } from '../components/money.js';
import { Names } from '../components/names.js';
import type { Range } from '../components/range.js';
import { Day } from '../components/when.js';
import {
  type AccountFigures,
  type ComparedHistory,
  hasSum,
  type LackingAccount,
  type Totals,
  totalsOf,
} from './account-figures.js';
import { WhyWorth } from './why-worth.js';

/** More are counted. */
const MAX_NAMED = 3;

interface NetWorthCardProps {
  history: ComparedHistory;
  /** `null`: there is nothing to compare. */
  why: CurrencyChange | null;
  figures: AccountFigures;
  /** Those of the figures, unless they are not exact. */
  totals?: Totals | undefined;
  /** The net worth of today. */
  totalToday: number;
  /** About the figure. */
  note?: ComponentChildren;
  /** Of the accounts of the figure. */
  pending: Omit<PendingTotal, 'currency'> | null;
  /** What the address of the pending transactions ends with. */
  pendingOf: string;
  /** The accounts missing from the sums. */
  lacking: readonly LackingAccount[];
  range: Range;
}

/** The net worth in one currency: the figure of the last day with what it lacks, and the line of the accounts known all the time. */
export function NetWorthCard(props: NetWorthCardProps) {
  const { history, why, figures, totals, totalToday, note, pending, pendingOf, lacking, range } = props;
  const { currency, days } = history;
  const isPast = range.last < figures.today;
  const { total, assets, debts } = totals ?? totalsOf(history, figures);
  const missing = lacking.filter(({ isChosen }) => !isChosen);
  const leftOut = lacking.filter(({ isChosen }) => isChosen);
  const values = valuesOf(history);
  const [dashed, doubts] = [unreportedIn(history), seenDoubts(values, doubtsOf(history))];
  const { count: estimated, furthest, isMeasured } = estimatedIn(history, figures.today);
  const counts = ({ id }: CountedAccount) => figures.contributions.has(id);
  const [compared, later] = [history.accounts.filter(counts), history.later.filter(counts)];
  const all = compared.length + later.length;
  const accounts = accountsText(compared.length, all);
  return (
    <section class="card worth" aria-label={`Net worth in ${currency}`}>
      <div>
        <div class="row">
          <p class="figure">
            <Money minor={hasSum(history, figures) ? total : null} currency={currency} />
          </p>
          {assets !== 0 && debts !== 0 && (
            <>
              <p class="second-figures">
                <span class="quiet small">Assets</span> <Money minor={assets} currency={currency} />
              </p>
              <p class="second-figures">
                <span class="quiet small">Debts</span> <Money minor={debts} currency={currency} />
              </p>
            </>
          )}
        </div>
        {isPast && (
          <p>
            on <Day date={range.last} />, today <Money minor={totalToday} currency={currency} />
          </p>
        )}
        {note}
        {missing.length > 0 && (
          <p class="lacking">
            without <Names of={missing} />
          </p>
        )}
        <Change
          history={history}
          until={isPast ? range.last : null}
          accounts={
            all === 0 ? `No account counts in ${currency} ${isPast ? 'on this day' : 'today'}` : `in ${accounts}`
          }
        />
        {later.length > 0 && (
          <p>
            The line: <Money minor={values.at(-1)!} currency={currency} />. Not in it:{' '}
            <Later accounts={later} figures={figures} currency={currency} />.
          </p>
        )}
        {pending && !isPast && (
          <p class="quiet small">
            <a href={`/transactions?pending=true&counted=true${pendingOf}`}>{numberText(pending.count)} pending</a>,{' '}
            <Money minor={pending.amountMinor} currency={currency} change />:{' '}
            <Money minor={total + pending.amountMinor} currency={currency} /> once posted, if not yet included
          </p>
        )}
        {days.length > 1 && (
          <Chart
            currency={currency}
            days={days}
            line={{ label: later.length > 0 ? accounts : 'Net worth', values, dashed, doubts }}
            start={{ day: history.from, minor: values[0]! }}
            // Amounts in several currencies are not compared.
            largestHref={why && why.ratesMinor === undefined ? largestHref(currency, days) : undefined}
          />
        )}
        {days.length > 1 && <DayChoice day={days.at(-1)!} />}
        {days.length > 1 && dashed.length > 0 && (
          <p class="key chart-note quiet small">
            <span class="key-dashed">Nothing was reported for these days.</span>
          </p>
        )}
        {days.length > 1 && estimated > 0 && (
          <p class={`chart-note quiet small ${doubts.length > 0 ? 'key' : ''}`}>
            <span class="key-band">
              Estimated: what the banks have reported so far fits more than one sum for {numberText(estimated)} of these
              days
              {furthest !== null && ', by up to '}
              {furthest !== null && <Money minor={furthest} currency={currency} />}
              {furthest !== null && !isMeasured && ' as far as that is known'}.
            </span>
          </p>
        )}
        {leftOut.length > 0 && (
          <p class="chart-note quiet small">
            Not included: <Names of={leftOut} />.
          </p>
        )}
      </div>
      {days.length > 1 && why && (
        <WhyWorth
          why={why}
          from={history.from}
          figures={figures}
          range={range}
          total={total}
          within={later.length > 0 ? accounts : null}
        />
      )}
    </section>
  );
}

/** Any day over all accounts, as the chart opens it. */
export function DayChoice({ day }: { day: CalendarDate }) {
  return (
    <form class="row chart-note" method="get" action="/days">
      <input id="day-choice" type="date" name="day" value={day} required aria-label="A day over all accounts" />
      <button type="submit" class="second small">
        Show day
      </button>
    </form>
  );
}

interface ChangeProps {
  history: ComparedHistory;
  /** `null`: today. */
  until: CalendarDate | null;
  accounts: string;
}

/** Of the same accounts. */
function Change({ history, until, accounts }: ChangeProps) {
  const { currency, from } = history;
  const change = changeOf(history);
  return (
    <p class="quiet">
      {change && (
        <>
          <span class={lookOf(change.minor)}>
            <Money minor={change.minor} currency={currency} change />
            {change.percent && ` (${change.percent})`}
          </span>{' '}
          {until ? 'from' : 'since'} <Day date={until ? addDays(from, 1) : from} />
          {until && ' to '}
          {until && <Day date={until} />}{' '}
        </>
      )}
      <span class="phrase">{accounts}</span>
    </p>
  );
}

/** How many of the accounts of a sum are known all the time. */
export function accountsText(compared: number, all: number): string {
  const of = compared === all ? '' : `${numberText(compared)} of `;
  return `${of}${numberText(all)} ${all === 1 ? 'account' : 'accounts'}`;
}

interface LaterProps {
  accounts: ComparedAccounts['later'];
  figures: AccountFigures;
  currency: string;
}

/** Accounts known since a later day, with what they hold: with the line they are the figure. */
function Later({ accounts, figures, currency }: LaterProps) {
  const worthOf = ({ id }: CountedAccount) => figures.contributions.get(id)?.amountMinor ?? 0;
  const sorted = accounts.toSorted((a, b) => Math.abs(worthOf(b)) - Math.abs(worthOf(a)));
  const more = sorted.slice(MAX_NAMED);
  return (
    <>
      {sorted.slice(0, MAX_NAMED).map((account, at) => (
        <>
          {at > 0 && '; '}
          <bdi>{figures.names.get(account.id) ?? account.name}</bdi>, known since <Day date={account.since} />,{' '}
          <Money minor={worthOf(account)} currency={currency} />
        </>
      ))}
      {more.length > 0 && (
        <>
          ; {numberText(more.length)} more,{' '}
          <Money minor={more.reduce((sum, account) => sum + worthOf(account), 0)} currency={currency} />
        </>
      )}
    </>
  );
}

/** Where none of the accounts was reported, as indices of the points. */
function unreportedIn({ accounts, days }: ComparedHistory): Stretch[] {
  const unreported = new Array<number>(days.length).fill(0);
  for (const { uncertain } of accounts) {
    for (const [first, last, level] of uncertain) {
      if (level !== 'unknown') continue;
      for (let at = firstIndex(days, first); at < days.length && days[at]! <= last; at++) unreported[at]!++;
    }
  }
  const stretches: Stretch[] = [];
  unreported.forEach((count, at) => {
    const day = days[at]!;
    const open = accounts.filter(({ lastDate, isCarriedForward }) => isCarriedForward || lastDate >= day);
    if (count === 0 || count < open.length) return;
    const stretch = stretches.at(-1);
    if (stretch?.until === at - 1) stretch.until = at;
    else stretches.push({ from: at, until: at });
  });
  return stretches;
}

/** By how much the sums may be less and more, as indices of the points. */
function doubtsOf({ points }: ComparedHistory): Doubt[] {
  const doubts: Doubt[] = [];
  points.forEach(({ below, above }, at) => {
    const doubt = doubts.at(-1);
    if (below + above === 0) return;
    if (doubt?.until === at - 1 && doubt.below === below && doubt.above === above) doubt.until = at;
    else doubts.push({ from: at, until: at, below, above });
  });
  return doubts;
}

interface Estimated {
  count: number;
  /** By how much the sum of a day may differ at most; `null`: that is known of none, or not every day has a point. */
  furthest: number | null;
  /** Whether it is known of all of them. */
  isMeasured: boolean;
}

/** The days of the line, before today, on which its sum may be another one, drawn or not. What is reported today is no estimate. */
function estimatedIn({ accounts, from, days, points }: ComparedHistory, today: CalendarDate): Estimated {
  const last = earliest(days.at(-1)!, addDays(today, -1));
  const ranges = accounts
    .flatMap(({ uncertain }) => uncertain)
    .filter(([first, end, level]) => level === 'estimated' && first <= last && end >= from)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  let [count, next] = [0, from];
  for (const [first, end] of ranges) {
    const [start, until] = [latest(first, next), earliest(end, last)];
    if (start > until) continue;
    count += daysBetween(start, until) + 1;
    next = addDays(until, 1);
  }
  const isDaily = days.length > daysBetween(from, days.at(-1)!);
  const doubts = points.map(({ date, below, above }) => (date > last ? 0 : Math.max(below, above)));
  return {
    count,
    furthest: (isDaily && Math.max(...doubts)) || null,
    isMeasured: ranges.every(([, , , doubtMinor]) => doubtMinor !== null),
  };
}

/** The first of ascending days that is not before another one, by bisection; the number of days when none is. */
function firstIndex(days: readonly CalendarDate[], day: CalendarDate): number {
  let [low, high] = [0, days.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (days[middle]! >= day) high = middle;
    else low = middle + 1;
  }
  return low;
}

export function valuesOf({ points }: ComparedHistory): number[] {
  return points.map(({ assets, liabilities }) => assets - liabilities);
}

/** From the first day of the line to its last one; `null`: they are the same. Debts have no percentage. */
export function changeOf(history: ComparedHistory): { minor: number; percent: string | null } | null {
  const values = valuesOf(history);
  if (values.length < 2) return null;
  const [first, minor] = [values[0]!, values.at(-1)! - values[0]!];
  return { minor, percent: first > 0 ? percentText(minor / first) : null };
}

function percentText(share: number): string {
  return numberText(share, {
    style: 'percent',
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
    signDisplay: 'exceptZero',
  });
}
