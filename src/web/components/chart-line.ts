import type { CalendarDate } from '../../platform/time/calendar-date.js';
import { minorDigits } from '../../platform/money/currency.js';
import { decimalText } from '../../platform/money/minor-units.js';
import { moneyText, numberText } from './money.js';
import { dayText } from './when.js';

export interface ChartLine {
  label: string;
  /** Minor units, one value per day. */
  values: readonly number[];
  /** Where nothing was reported, by first and last index. */
  dashed: readonly Stretch[];
  /** Where another balance is possible, ascending; only what can be seen. */
  doubts: readonly Doubt[];
}

export interface Stretch {
  from: number;
  until: number;
}

/** By how much the values may be less, and more. */
export interface Doubt extends Stretch {
  below: number;
  above: number;
}

/** Less of the height of a chart is not drawn. */
const TRIFLING = 0.005;

/** The doubts that can be seen beside these values. */
export function seenDoubts(values: readonly number[], doubts: readonly Doubt[]): Doubt[] {
  const { low, high } = scaleOf(values);
  return doubts.filter(({ below, above }) => below + above >= TRIFLING * (high - low));
}

/** The bands of the doubts, each of which begins and ends at the line. */
export function bandsOf({ values, doubts }: Pick<ChartLine, 'values' | 'doubts'>) {
  const stretches: Stretch[] = [];
  for (const { from, until } of doubts) {
    const stretch = stretches.at(-1);
    if (stretch?.until === from - 1) stretch.until = until;
    else stretches.push({ from, until });
  }
  const widthAt = (index: number) => doubts.find(({ from, until }) => from <= index && index <= until);
  return stretches.map(({ from, until }) =>
    values.flatMap((value, index) => {
      if (index < from - 1 || index > until + 1) return [];
      const { below = 0, above = 0 } = from <= index && index <= until ? (widthAt(index) ?? {}) : {};
      return [{ index, low: value - below, high: value + above }];
    }),
  );
}

/** The line in words, for people who cannot see the chart. The days are read out one by one. */
export function summaryOf(
  { label, values, dashed, doubts }: ChartLine,
  days: readonly CalendarDate[],
  currency: string,
) {
  const at = (index: number) => `${moneyText(values[index]!, currency)} on ${dayText(days[index]!)}`;
  const unreported = dashed.length > 0 ? ' Some days were not reported.' : '';
  const estimated = doubts.length > 0 ? ' Some days are estimated.' : '';
  return `${label} from ${at(0)} to ${at(days.length - 1)}.${unreported}${estimated}`;
}

/** The amounts of a chart. */
export interface Scale {
  low: number;
  high: number;
  /** Of its evenly spaced lines, from the highest to the lowest. */
  ticks: readonly number[];
}

/** A chart has about as many lines. */
const TICKS = 4;

/**
 * The amounts that a chart shows. It shows zero where this takes less than half of its height: a tinted area from any other
 * value exaggerates a change.
 */
export function scaleOf(values: readonly number[]): Scale {
  let [low, high] = [Math.min(...values), Math.max(...values)];
  if (low * 2 <= high && high > 0) low = Math.min(0, low);
  if (high * 2 >= low && low < 0) high = Math.max(0, high);
  if (low === high) {
    const room = Math.abs(low) / 10 || 100;
    [low, high] = [low - room, high + room];
  }
  const wanted = (high - low) / TICKS;
  const power = 10 ** Math.floor(Math.log10(wanted));
  const step = Math.max(1, Math.round(power * [1, 2, 2.5, 5, 10].find((times) => times * power >= wanted * 0.999)!));
  const [first, last] = [Math.floor(low / step), Math.ceil(high / step)];
  const ticks = Array.from({ length: last - first + 1 }, (_, index) => (last - index) * step);
  return { low: first * step, high: last * step, ticks };
}

/** Amounts as short as they are all different. */
export function shortAmounts(amounts: readonly number[], currency: string): string[] {
  for (const maximumFractionDigits of [0, 1, 2]) {
    const options = { style: 'currency', currency, notation: 'compact', maximumFractionDigits } as const;
    const texts = amounts.map((minor) => numberText(decimalText(minor, minorDigits(currency) ?? 2), options));
    if (new Set(texts).size === texts.length) return texts;
  }
  return amounts.map((minor) => moneyText(minor, currency));
}

/** A few evenly spaced days. Those of one year have it once. */
export function shortDays(days: readonly CalendarDate[]): string[] {
  const isOneYear = days.at(-1)!.startsWith(days[0]!.slice(0, 4));
  return evenly(days.length, 5).map((index) => {
    const text = dayText(days[index]!);
    return isOneYear && index > 0 ? text.slice(0, -5) : text;
  });
}

export interface ChartMark {
  /** Index of the day. */
  index: number;
  text: string;
}

/** Up to `max` evenly spread indices below `count`, including the first and the last. */
export function evenly(count: number, max: number): number[] {
  const points = Math.min(count, max);
  return Array.from({ length: points }, (_, i) => Math.round((i / Math.max(1, points - 1)) * (count - 1)));
}
