import { type CalendarDate, daysBetween } from '../../platform/time/calendar-date.js';
import { minorDigits } from '../../platform/money/currency.js';
import {
  bandsOf,
  type ChartLine,
  type ChartMark,
  evenly,
  type Scale,
  scaleOf,
  shortAmounts,
  shortDays,
  summaryOf,
} from './chart-line.js';
import { currentNumberFormat } from './money.js';

interface ChartProps {
  currency: string;
  /** Evenly spaced, at least two. */
  days: readonly CalendarDate[];
  line: ChartLine;
  marks?: readonly ChartMark[];
  /** What changes are counted from, at the end of a day. */
  start: { day: CalendarDate; minor: number };
  /** The address of the largest transactions of its days. */
  largestHref?: string | undefined;
}

/** Where the script finds the largest transaction of each day: of an account, or of those in the line of these days. */
export function largestHref(currency: string, days: readonly CalendarDate[], accountId?: string): string {
  const account = accountId ? `&account=${accountId}` : '';
  return `/days/largest?currency=${currency}&from=${days[0]}&to=${days.at(-1)}${account}`;
}

/** A picture; with scripts it answers to the pointer and the arrow keys. */
export function Chart({ currency, days, line, marks = [], start, largestHref }: ChartProps) {
  const bands = bandsOf(line);
  const scale = scaleOf([...line.values, ...bands.flat().flatMap(({ low, high }) => [low, high])]);
  const data = {
    currency,
    digits: minorDigits(currency) ?? 2,
    numberFormat: currentNumberFormat(),
    first: days[0],
    daysApart: daysBetween(days[0]!, days[1]!),
    low: scale.low,
    high: scale.high,
    ...line,
    // The first value and then the differences, with which a page is a tenth smaller.
    values: line.values.map((value, i) => value - (line.values[i - 1] ?? 0)),
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
      <div class="plot" tabIndex={0} role="img" aria-label={summaryOf(line, days, currency)}>
        <Picture scale={scale} line={line} bands={bands} marks={marks} />
      </div>
      <div class="days" aria-hidden="true">
        {shortDays(days).map((text) => (
          <span key={text}>{text}</span>
        ))}
      </div>
      <script type="application/json" dangerouslySetInnerHTML={{ __html: json }} />
    </figure>
  );
}

const WIDTH = 1000;
const HEIGHT = 240;
/** A screen cannot show more points. */
const MAX_POINTS = 500;

interface PictureProps {
  scale: Scale;
  line: ChartLine;
  bands: ReturnType<typeof bandsOf>;
  marks: readonly ChartMark[];
}

function Picture({ scale: { low, high, ticks }, line, bands, marks }: PictureProps) {
  const { values, dashed } = line;
  const last = values.length - 1;
  const x = (i: number) => Math.round((i / last) * WIDTH);
  const y = (value: number) => Math.round(((high - value) / (high - low)) * HEIGHT);
  const shown = new Set(evenly(values.length, MAX_POINTS));
  const pointsOf = (from: number, until: number) => {
    const indices = [from, ...[...shown].filter((i) => i > from && i < until), until];
    return indices.map((i) => `${x(i)},${y(values[i]!)}`).join(' ');
  };
  return (
    <svg class="picture" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      <path class="grid" d={ticks.map((tick) => `M0 ${y(tick)}H${WIDTH}`).join('')} />
      {bands.map((band) => {
        const points = band.filter(({ index }, i) => shown.has(index) || i === 0 || i === band.length - 1);
        const edge = (end: 'low' | 'high') => points.map((point) => `${x(point.index)},${y(point[end])}`);
        return (
          <polygon key={band[0]!.index} class="band" points={[...edge('high'), ...edge('low').reverse()].join(' ')} />
        );
      })}
      {ticks.includes(0) && <polygon points={`0,${y(0)} ${pointsOf(0, last)} ${WIDTH},${y(0)}`} />}
      <polyline points={pointsOf(0, last)} />
      {dashed.map(({ from, until }) => (
        <polyline key={from} class="dashed" points={pointsOf(Math.max(0, from - 1), Math.min(last, until + 1))} />
      ))}
      {marks.length > 0 && (
        <path class="marks" d={marks.map(({ index }) => `M${x(index)} ${y(values[index]!)}h0`).join('')} />
      )}
    </svg>
  );
}
