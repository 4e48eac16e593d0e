import type { AccountSeries } from '../../balances/record/account-series.repository.js';
import { type CalendarDate, daysBetween } from '../../platform/time/calendar-date.js';
import type { UncertainDays } from '../../balances/record/uncertain-days.entity.js';
import { type ChartMark, type Doubt, seenDoubts, type Stretch } from '../components/chart-line.js';
import { changeText, moneyText } from '../components/money.js';
import { type WhyLine, whyLines } from '../components/why.js';

export function uncertaintyText(
  level: UncertainDays['level'],
  days: 'this day' | 'these days',
  isByHand: boolean,
): string {
  if (level === 'estimated')
    return `Estimated: what the bank has reported so far fits more than one balance for ${days}.`;
  return isByHand ? `No balance is stated for ${days}.` : `The bank reported nothing for ${days}.`;
}

/** How uncertain the balance of a day is; `null`: it is certain. */
export function uncertainOn(uncertain: readonly UncertainDays[], day: CalendarDate): UncertainDays | null {
  return uncertain.find(({ startDate, endDate }) => startDate <= day && day <= endDate) ?? null;
}

/** Where nothing was reported of a series, and where another balance is possible. */
export function uncertainIn(
  { firstDay, balances }: AccountSeries,
  uncertain: readonly UncertainDays[],
): { dashed: Stretch[]; doubts: Doubt[] } {
  const dashed: Stretch[] = [];
  const doubts: Doubt[] = [];
  for (const { startDate, endDate, level, doubtMinor } of uncertain) {
    const from = Math.max(0, daysBetween(firstDay, startDate));
    const until = Math.min(daysBetween(firstDay, endDate), balances.length - 1);
    if (from > until) continue;
    if (level === 'unknown') dashed.push({ from, until });
    else if (doubtMinor) doubts.push({ from, until, below: Math.max(0, -doubtMinor), above: Math.max(0, doubtMinor) });
  }
  return { dashed, doubts: seenDoubts(balances, doubts) };
}

export function chartMarksOf({ adjustments }: AccountSeries, currency: string): ChartMark[] {
  return adjustments.flatMap((minor, index) =>
    minor === 0 ? [] : [{ index, text: `Adjustment ${changeText(minor, currency)}` }],
  );
}

/** A value changes nothing where it begins the history, or is that of the day before. @param days of the values */
export function valueMarksOf(series: AccountSeries, currency: string, days: readonly CalendarDate[]): ChartMark[] {
  return days.flatMap((day) => {
    const index = daysBetween(series.firstDay, day);
    const minor = series.balances[index];
    return minor === undefined ? [] : [{ index, text: `Your value ${moneyText(minor, currency)}` }];
  });
}

/**
 * Why the balance changed, from the start of the first day to the end of the last.
 *
 * @param isDebt whether it is owed
 * @param isByHand whether a person, and no bank, says what it is worth
 */
export function whyOf(series: AccountSeries, isDebt: boolean, isByHand = false): WhyLine[] {
  const { moneyInMinor, moneyOutMinor, adjustments, balances } = series;
  const unexplainedMinor = adjustments.reduce((sum, minor) => sum + minor, 0);
  const change = {
    ...series,
    valuesGivenMinor: isByHand ? unexplainedMinor : 0,
    ...(isDebt && { moneyInMinor: moneyOutMinor, moneyOutMinor: moneyInMinor }),
    unexplainedMinor,
    endMinor: balances.at(-1)!,
  };
  return whyLines(change, 'Start', 'End', isDebt ? { more: 'Charges', less: 'Payments' } : {});
}
