import type { AccountSeries } from '../../balances/record/account-series.repository.js';
import { type CalendarDate, daysBetween } from '../../platform/time/calendar-date.js';
import type { UncertainDays } from '../../balances/record/uncertain-days.entity.js';
import type { ChartMark, Stretch } from '../components/chart-line.js';
import { changeText } from '../components/money.js';
import { type WhyLine, whyLines } from '../components/why.js';

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
export function unreportedIn({ firstDay, balances }: AccountSeries, uncertain: readonly UncertainDays[]): Stretch[] {
  return uncertain
    .filter(({ level }) => level === 'unknown')
    .map(({ startDate, endDate }) => ({
      from: daysBetween(firstDay, startDate),
      until: daysBetween(firstDay, endDate),
    }))
    .filter(({ from, until }) => until >= 0 && from < balances.length)
    .map(({ from, until }) => ({ from: Math.max(0, from), until: Math.min(until, balances.length - 1) }));
}

export function chartMarksOf({ adjustments }: AccountSeries, currency: string): ChartMark[] {
  return adjustments.flatMap((minor, index) =>
    minor === 0 ? [] : [{ index, text: `Adjustment ${changeText(minor, currency)}` }],
  );
}

/** Why the balance changed, from the start of the first day to the end of the last. @param isDebt whether it is owed */
export function whyOf(series: AccountSeries, isDebt: boolean): WhyLine[] {
  const { moneyInMinor, moneyOutMinor, adjustments, balances } = series;
  const change = {
    ...series,
    ...(isDebt && { moneyInMinor: moneyOutMinor, moneyOutMinor: moneyInMinor }),
    unexplainedMinor: adjustments.reduce((sum, minor) => sum + minor, 0),
    endMinor: balances.at(-1)!,
  };
  return whyLines(change, 'Start', 'End', isDebt ? ['Charges', 'Payments'] : undefined);
}
