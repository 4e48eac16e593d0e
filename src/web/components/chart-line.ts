import type { CalendarDate } from '../../platform/time/calendar-date.js';
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
  const ranges = separate(lines[0]?.dashed ?? []);
  if (ranges.length === 0) return lineTexts.join(' ');
  const named = ranges
    .slice(0, MAX_NAMED_RANGES)
    .map(({ from, until }) => (from === until ? dayAt(from) : `${dayAt(from)} to ${dayAt(until)}`));
  const others = ranges.length - named.length;
  const more = others > 0 ? ` and ${others === 1 ? '1 more period' : `${numberText(others)} more periods`}` : '';
  return `${lineTexts.join(' ')} Not reported: ${named.join(', ')}${more}.`;
}

/** The same indices in ranges that neither overlap nor touch. */
function separate(ranges: readonly Stretch[]): Stretch[] {
  const separated: Stretch[] = [];
  for (const { from, until } of ranges.toSorted((a, b) => a.from - b.from)) {
    const last = separated.at(-1);
    if (last && from <= last.until + 1) last.until = Math.max(last.until, until);
    else separated.push({ from, until });
  }
  return separated;
}

/**
 * Whether zero takes less than half of the chart's height, so that the axis may begin there. A tinted area from any
 * other value exaggerates a change.
 */
export function showsZero(lines: readonly ChartLine[]): boolean {
  if (!lines.some(({ fill }) => fill)) return false;
  const [low, high] = extentOf(lines);
  const [near, far] = [Math.abs(low), Math.abs(high)].sort((a, b) => a - b) as [number, number];
  return (low <= 0 && high >= 0) || near * 2 <= far;
}

/** The lowest and the highest value of all lines. */
export function extentOf(lines: readonly ChartLine[]): [low: number, high: number] {
  let [low, high] = [Infinity, -Infinity];
  for (const { values } of lines) {
    for (const value of values) {
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  }
  return [low, high];
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
