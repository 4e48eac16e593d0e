import { type AccountSeries, hasAny, runningSums, startBalance, totals } from '../../balances/record/account-series.js';
import { type CalendarDate, daysBetween } from '../../platform/time/calendar-date.js';
import type { UncertainDays } from '../../balances/record/uncertain-days.entity.js';
import type { ChartLine, ChartMark, Stretch } from '../components/chart-line.js';
import { changeText, moneyText } from '../components/money.js';
import { dayText } from '../components/when.js';
import { type WhyLine, whyLines } from '../components/why.js';

const VIEWS = [
  { name: 'balance', text: 'Balance' },
  { name: 'parts', text: 'Cash and holdings' },
  { name: 'market', text: 'Market and flows' },
] as const;

export type ChartView = (typeof VIEWS)[number]['name'];

export function chartViewOf(name: unknown): ChartView {
  return VIEWS.find((view) => view.name === name)?.name ?? 'balance';
}

/** Only the views that this account has data for. */
export function viewsOf({ cash, nonCash, market }: AccountSeries) {
  const has = { balance: true, parts: hasAny(cash) && hasAny(nonCash), market: hasAny(market) };
  return VIEWS.filter(({ name }) => has[name]);
}

export function uncertaintyText(level: UncertainDays['level'], days: 'this day' | 'these days'): string {
  return level === 'estimated'
    ? `Estimated: what the bank has reported so far fits more than one balance for ${days}.`
    : `The bank reported nothing for ${days}.`;
}

/** How uncertain the balance of a day is; `null`: it is certain. */
export function levelOn(uncertain: readonly UncertainDays[], day: CalendarDate): UncertainDays['level'] | null {
  return uncertain.find(({ startDate, endDate }) => startDate <= day && day <= endDate)?.level ?? null;
}

/** The days of a series for which nothing was reported, as indices. */
export function unreportedIn({ firstDay, cash }: AccountSeries, uncertain: readonly UncertainDays[]): Stretch[] {
  return uncertain
    .filter(({ level }) => level === 'unknown')
    .map(({ startDate, endDate }) => ({
      from: daysBetween(firstDay, startDate),
      until: daysBetween(firstDay, endDate),
    }))
    .filter(({ from, until }) => until >= 0 && from < cash.length)
    .map(({ from, until }) => ({ from: Math.max(0, from), until: Math.min(until, cash.length - 1) }));
}

/** @param balances one per day of the series, in minor units */
export function linesOf(
  series: AccountSeries,
  view: ChartView,
  balances: readonly number[],
  dashed: readonly Stretch[] = [],
): ChartLine[] {
  switch (view) {
    case 'balance':
      return [{ label: 'Balance', values: balances, fill: true, dashed }];
    case 'parts':
      return [
        { label: 'Holdings', values: series.nonCash, dashed },
        { label: 'Cash', values: series.cash, dashed },
      ];
    case 'market':
      return [
        { label: 'Market', values: runningSums(series.market), change: true, dashed },
        { label: 'Money in and out', values: runningSums(series.flows), change: true, dashed },
      ];
  }
}

export function chartMarksOf({ adjustments }: AccountSeries, currency: string): ChartMark[] {
  return adjustments.flatMap((minor, index) =>
    minor === 0 ? [] : [{ index, text: `Adjustment ${changeText(minor, currency)}` }],
  );
}

/** Why the balance changed, from the start of the first day to the end of the last. @param isDebt whether it is owed */
export function whyOf(series: AccountSeries, isDebt: boolean): WhyLine[] {
  const sum = (values: readonly number[]) => runningSums(values).at(-1) ?? 0;
  const change = {
    startMinor: startBalance(series),
    moneyInMinor: isDebt ? series.moneyOut : series.moneyIn,
    moneyOutMinor: isDebt ? series.moneyIn : series.moneyOut,
    marketMinor: sum(series.market),
    unexplainedMinor: sum(series.adjustments),
    endMinor: totals(series).at(-1) ?? 0,
  };
  return whyLines(change, 'Start', 'End', isDebt ? ['Charges', 'Payments'] : undefined);
}

/** The offset with which the lines of market and flows end at the balance. */
export function marketText(series: AccountSeries, currency: string): string {
  const adjusted = runningSums(series.adjustments).at(-1) ?? 0;
  const start = `${moneyText(startBalance(series), currency)} at the start of ${dayText(series.firstDay)}`;
  return adjusted === 0
    ? `Both lines count from ${start}.`
    : `Both lines count from ${start}; adjustments of ${changeText(adjusted, currency)} are in neither.`;
}
