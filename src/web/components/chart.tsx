import { type CalendarDate, daysBetween } from '../../platform/time/calendar-date.js';
import { minorDigits } from '../../platform/money/currency.js';
import {
  type ChartLine,
  type ChartMark,
  evenly,
  piecesOf,
  type Scale,
  scaleOf,
  shortAmounts,
  shortDays,
  summaryOf,
} from './chart-line.js';
import { changeText, currentNumberFormat, moneyText } from './money.js';
import { dayText } from './when.js';

interface ChartProps {
  currency: string;
  /** Evenly spaced. */
  days: readonly CalendarDate[];
  lines: readonly ChartLine[];
  marks?: readonly ChartMark[];
  /** What the changes of the first line are counted from, at the end of a day; missing: it has none. */
  start?: { day: CalendarDate; minor: number };
  /** The address of the largest transactions of its days. */
  largestHref?: string | undefined;
}

/** Where the script finds the largest transaction of each day: of an account, or of all that count in net worth. */
export function largestHref(currency: string, days: readonly CalendarDate[], accountId?: string): string {
  const account = accountId ? `&account=${accountId}` : '';
  return `/days/largest?currency=${currency}&from=${days[0]}&to=${days.at(-1)}${account}`;
}

/** A picture; with scripts it answers to the pointer and the arrow keys. */
export function Chart({ currency, days, lines, marks = [], start, largestHref }: ChartProps) {
  const scale = scaleOf(lines);
  const data = {
    currency,
    digits: minorDigits(currency) ?? 2,
    numberFormat: currentNumberFormat(),
    first: days[0],
    daysApart: days.length > 1 ? daysBetween(days[0]!, days[1]!) : 1,
    low: scale.low,
    high: scale.high,
    lines: lines.map(({ label, values, change, dashed = [] }) => ({ label, steps: stepsOf(values), change, dashed })),
    marks,
    start,
  };
  // Escaped, because a name with `<` could close the script element.
  const json = JSON.stringify(data).replaceAll('<', '\\u003c');
  return (
    <figure class="chart" data-href={largestHref}>
      <div class="amounts" aria-hidden="true">
        {shortAmounts(scale.ticks, currency).map((text) => (
          <span key={text}>{text}</span>
        ))}
      </div>
      <div class="plot" tabIndex={0} role="img" aria-label={summaryOf(lines, days, currency)}>
        <Picture scale={scale} lines={lines} marks={marks} />
      </div>
      <div class="days" aria-hidden="true">
        {shortDays(days).map((text) => (
          <span key={text}>{text}</span>
        ))}
      </div>
      <Newest currency={currency} day={days.at(-1)} lines={lines} />
      <script type="application/json" dangerouslySetInnerHTML={{ __html: json }} />
    </figure>
  );
}

/** The newest day in text, which says what the lines are. */
function Newest({ currency, day, lines }: Pick<ChartProps, 'currency' | 'lines'> & { day: CalendarDate | undefined }) {
  return (
    <p class="readout">
      {day && <b>{dayText(day)}</b>}
      {lines.map((line, at) => (
        <span key={line.label} class={`key-${at + 1}`}>
          {line.label} {line.dashed?.some(({ until }) => until >= line.values.length - 1) && 'about '}
          {(line.change ? changeText : moneyText)(line.values.at(-1) ?? 0, currency)}
        </span>
      ))}
    </p>
  );
}

/** The first value and then the differences, with which a page is a tenth smaller. */
function stepsOf(values: readonly number[]): number[] {
  return values.map((value, i) => value - (values[i - 1] ?? 0));
}

const WIDTH = 1000;
const HEIGHT = 240;
/** A screen cannot show more points. */
const MAX_POINTS = 500;

function Picture({
  scale: { low, high, ticks },
  lines,
  marks,
}: Pick<ChartProps, 'lines'> & { scale: Scale; marks: readonly ChartMark[] }) {
  const x = (i: number) => Math.round((i / Math.max(1, lines[0]!.values.length - 1)) * WIDTH);
  const y = (value: number) => Math.round(((high - value) / (high - low)) * HEIGHT);
  return (
    <svg class="picture" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      <path class="grid" d={ticks.map((tick) => `M0 ${y(tick)}H${WIDTH}`).join('')} />
      {lines.map((line, at) => {
        const { label, values, fill } = line;
        const shown = evenly(values.length, MAX_POINTS);
        return (
          <g key={label} class={`line-${at + 1}`}>
            {piecesOf(line).map(({ from, until, isDashed }) => {
              const indices = [from, ...shown.filter((i) => i > from && i < until), until];
              const points = indices.map((i) => `${x(i)},${y(values[i] ?? 0)}`).join(' ');
              if (isDashed) return <polyline key={from} class="dashed" points={points} />;
              return (
                <g key={from}>
                  {fill && low <= 0 && high >= 0 && (
                    <polygon points={`${x(from)},${y(0)} ${points} ${x(until)},${y(0)}`} />
                  )}
                  <polyline points={points} />
                </g>
              );
            })}
          </g>
        );
      })}
      {marks.length > 0 && (
        <path
          class="marks"
          d={marks.map(({ index }) => `M${x(index)} ${y(lines[0]?.values[index] ?? 0)}h0`).join('')}
        />
      )}
    </svg>
  );
}
