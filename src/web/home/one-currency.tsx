import type { KnownRates } from '../../balances/net-worth/exchange-rates.js';
import { exchange, problemOf } from '../../balances/net-worth/exchanged-net-worth.js';
import type { Contribution } from '../../balances/net-worth/net-worth-accounts.js';
import type { CalendarDate } from '../../platform/time/calendar-date.js';
import { Notice } from '../components/notice.js';
import type { Range } from '../components/range.js';
import { Day } from '../components/when.js';
import type { AccountFigures, LackingAccount } from './account-figures.js';
import { type ComparedHistory, type Totals, totalsOf } from './net-worth-card.js';

/** What the overview shows of all currencies in one. */
export interface OneCurrency {
  history: ComparedHistory;
  figures: AccountFigures;
  /** Today, as in the API. */
  totals: Totals;
  ratesAsOf: CalendarDate | null;
  rates: KnownRates | null;
  /** The accounts without a rate. */
  lacking: readonly LackingAccount[];
}

/** The sums of today of each currency. */
export function sumsOfToday(figures: AccountFigures) {
  const currencies = new Set([...figures.contributions.values()].map(({ currency }) => currency));
  return [...currencies].map((currency) => {
    const { assets, debts } = totalsOf({ currency }, figures);
    return { currency, points: [{ date: figures.today, assets, liabilities: -debts, below: 0, above: 0 }] };
  });
}

/** @param histories of the same days, at least one */
export function inOneCurrency(
  histories: readonly ComparedHistory[],
  figures: AccountFigures,
  into: string,
  rates: KnownRates | null,
): OneCurrency {
  const [first] = histories;
  const history: ComparedHistory = {
    ...first!,
    currency: into,
    accounts: histories.flatMap(({ accounts }) => accounts),
    later: histories.flatMap(({ later }) => later),
    points: exchange(histories, into, rates).points,
  };
  const contributions = new Map<string, Contribution>();
  const lacking: LackingAccount[] = [];
  for (const [id, { accountId, currency, amountMinor }] of figures.contributions) {
    const alone = {
      currency,
      points: [{ date: figures.today, assets: amountMinor, liabilities: 0, below: 0, above: 0 }],
    };
    const exchanged = exchange([alone], into, rates);
    const { name = '' } = figures.newestOf.get(id) ?? {};
    if (exchanged.lacking.size > 0) lacking.push({ name, why: `no rate of ${currency}`, isChosen: false });
    else contributions.set(id, { accountId, currency: into, amountMinor: exchanged.points[0]!.assets });
  }
  const [today] = exchange(sumsOfToday(figures), into, rates).points;
  const { assets = 0, liabilities = 0, ratesAsOf = null } = today ?? {};
  const totals = { total: assets - liabilities, assets, debts: -liabilities };
  return { history, figures: { ...figures, contributions }, totals, ratesAsOf, rates, lacking };
}

interface CurrencySwitchProps {
  /** All are shown in this one; `null`: each by itself. */
  into: string | null;
  /** The currency of the chart of one, and in which all would be shown. */
  currency: string;
  range: Range;
}

/** Links, as the range has them. */
export function CurrencySwitch({ into, currency, range }: CurrencySwitchProps) {
  return (
    <nav class="switch" aria-label="Add up">
      <a href={`/?${range.query}&currency=${currency}`} aria-current={into === null ? 'true' : undefined}>
        Each currency
      </a>
      <a href={`/?${range.query}&in=${currency}`} aria-current={into === null ? undefined : 'true'}>
        All in {currency}
      </a>
    </nav>
  );
}

/** Below the figure. */
export function RatesNote({ ratesAsOf }: Pick<OneCurrency, 'ratesAsOf'>) {
  if (ratesAsOf === null) return null;
  return (
    <p class="quiet">
      at the reference rates of <Day date={ratesAsOf} />, earlier days at theirs
    </p>
  );
}

/** Where newer rates could not be fetched. */
export function RatesProblem({ rates }: Pick<OneCurrency, 'rates'>) {
  const problem = rates && problemOf(rates);
  return problem ? <Notice kind="warn">{problem}</Notice> : null;
}
