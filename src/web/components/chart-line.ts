import type { CalendarDate } from '../../platform/time/calendar-date.js';
import { minorDigits } from '../../platform/money/currency.js';
import { decimalText } from '../../platform/money/minor-units.js';
import { changeText, moneyText, numberText } from './money.js';
import { dayText } from './when.js';

export interface ChartLine {
  label: string;
  /** Minor units, one value per day. */
  values: readonly number[];
  /** Whether the area between the line and zero is tinted, if zero is on the chart. */
  fill?: boolean;
  /** Where nothing was reported, by first and last index. */
  dashed?: readonly Stretch[];
  /** Whether the values are changes, which have a plus sign. */
  change?: boolean;
}

export interface Stretch {
  from: number;
  until: number;
}

/** A line in alternating dashed and solid pieces; neighbours share a point. */
export function piecesOf({ values, dashed: stretches = [] }: ChartLine): (Stretch & { isDashed: boolean })[] {
  const last = values.length - 1;
  const dashed = new Array<boolean>(Math.max(0, last)).fill(false);
  for (const { from, until } of stretches) dashed.fill(true, Math.max(0, from - 1), Math.min(last, until + 1));
  const pieces: (Stretch & { isDashed: boolean })[] = [];
  dashed.forEach((isDashed, index) => {
    const piece = pieces.at(-1);
    if (piece?.isDashed === isDashed) piece.until = index + 1;
    else pieces.push({ from: index, until: index + 1, isDashed });
  });
  return pieces.length > 0 ? pieces : [{ from: 0, until: last, isDashed: false }];
}

/** More are counted. */
const MAX_NAMED_RANGES = 3;

/** The lines in words, for people who cannot see the chart. All are dashed on the same days. */
export function summaryOf(lines: readonly ChartLine[], days: readonly CalendarDate[], currency: string): string {
  const dayAt = (index: number) => dayText(days[index]!);
  const lineTexts = lines.map(({ label, values, change }) => {
    const last = values.length - 1;
    const at = (index: number) => `${(change ? changeText : moneyText)(values[index]!, currency)} on ${dayAt(index)}`;
    return last > 0 ? `${label} from ${at(0)} to ${at(last)}.` : `${label} ${at(last)}.`;
  });
  const ranges = lines[0]?.dashed ?? [];
  if (ranges.length === 0) return lineTexts.join(' ');
  const named = ranges
    .slice(0, MAX_NAMED_RANGES)
    .map(({ from, until }) => (from === until ? dayAt(from) : `${dayAt(from)} to ${dayAt(until)}`));
  const others = ranges.length - named.length;
  const more = others > 0 ? ` and ${others === 1 ? '1 more period' : `${numberText(others)} more periods`}` : '';
  return `${lineTexts.join(' ')} Not reported: ${named.join(', ')}${more}.`;
}

/** The amounts of a chart, from its lowest line to its highest. */
export interface Scale {
  low: number;
  high: number;
  /** The amounts of its evenly spaced lines, the highest first. */
  ticks: readonly number[];
}

/** A chart has about as many lines. */
const TICKS = 4;

/**
 * The amounts that a chart shows. It shows zero where this takes less than half of its height: a tinted area from any other
 * value exaggerates a change.
 */
export function scaleOf(lines: readonly ChartLine[]): Scale {
  const [least, most] = extentOf(lines);
  const isFilled = lines.some(({ fill }) => fill);
  const showsZero = isFilled && (least <= 0 || least * 2 <= most) && (most >= 0 || most * 2 >= least);
  let [low, high] = showsZero ? [Math.min(0, least), Math.max(0, most)] : [least, most];
  if (low === high) {
    const room = Math.abs(low) / 10 || 100;
    [low, high] = [low - room, high + room];
  }
  const wanted = (high - low) / TICKS;
  const power = 10 ** Math.floor(Math.log10(wanted));
  const step = Math.max(1, power * [1, 2, 5, 10].find((times) => times * power >= wanted * 0.999)!);
  const [first, last] = [Math.floor(low / step), Math.ceil(high / step)];
  const ticks = Array.from({ length: last - first + 1 }, (_, index) => (last - index) * step);
  return { low: first * step, high: last * step, ticks };
}

/** The lowest and the highest value of all lines. */
function extentOf(lines: readonly ChartLine[]): [low: number, high: number] {
  let [low, high] = [Infinity, -Infinity];
  for (const { values } of lines) {
    for (const value of values) {
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  }
  return [low, high];
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

/** A few evenly spaced days, with the year where it is another one. */
export function shortDays(days: readonly CalendarDate[]): string[] {
  const shown = evenly(days.length, 5).map((index) => days[index]!);
  return shown.map((day, index) =>
    shown[index - 1]?.startsWith(day.slice(0, 4)) ? dayText(day).slice(0, -5) : dayText(day),
  );
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
