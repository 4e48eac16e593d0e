import { type CalendarDate, daysBetween } from '../../platform/time/calendar-date.js';
import { minorDigits } from '../../platform/money/currency.js';
import { type ChartLine, type ChartMark, evenly, extentOf, piecesOf, showsZero, summaryOf } from './chart-line.js';
import { changeText, currentNumberFormat, moneyText } from './money.js';
import { dayText } from './when.js';

interface ChartProps {
  name: string;
  currency: string;
  days: readonly CalendarDate[];
  lines: readonly ChartLine[];
  marks?: readonly ChartMark[];
  /** The address of a day's record, which replaces `#day`; the date is appended. */
  dayHref?: string;
}

/** Of links, field and chart, the day that was chosen last replaces `#day`. htmx by itself drops it while two others wait. */
export const NEWEST_DAY = '#day:replace';

/** A picture without scripts; with them it follows the pointer and the arrow keys. */
export function Chart({ name, currency, days, lines, marks = [], dayHref }: ChartProps) {
  const hasZero = showsZero(lines);
  const drawn = lines.map((line) => {
    const { label, values, fill, change } = line;
    return {
      label,
      steps: stepsOf(values),
      fill: fill && hasZero,
      change,
      dashed: line.dashed ?? [],
    };
  });
  const digits = minorDigits(currency) ?? 2;
  const offsets = days.map((day) => daysBetween(days[0]!, day));
  const data = {
    currency,
    digits,
    numberFormat: currentNumberFormat(),
    hasZero,
    days: { first: days[0] ?? '', ...compact(offsets) },
    lines: drawn,
    marks,
    dayHref,
  };
  // Escaped, because a name with `<` could close the script element.
  const json = JSON.stringify(data).replaceAll('<', '\\u003c');
  return (
    <figure class="chart" data-chart={name}>
      <div
        class="plot"
        tabIndex={0}
        role="img"
        aria-label={summaryOf(lines, days, currency)}
        hx-sync={dayHref && NEWEST_DAY}
      >
        <ChartPicture offsets={offsets} lines={lines} marks={marks} />
      </div>
      <ReadOut currency={currency} day={days.at(-1)} lines={lines} />
      <script type="application/json" dangerouslySetInnerHTML={{ __html: json }} />
    </figure>
  );
}

/** The newest day in text; the script replaces it by the day under the pointer. */
function ReadOut({ currency, day, lines }: Pick<ChartProps, 'currency' | 'lines'> & { day: CalendarDate | undefined }) {
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

/** Evenly spaced days by their number and step, others one by one. @param offsets in days after the first */
function compact(offsets: readonly number[]) {
  const step = offsets[1] ?? 1;
  return offsets.every((offset, i) => offset === i * step) ? { count: offsets.length, step } : { offsets };
}

/** The first value and then the differences, with which a page is a tenth smaller. */
function stepsOf(values: readonly number[]): number[] {
  return values.map((value, i) => value - (values[i - 1] ?? 0));
}

const WIDTH = 1000;
const HEIGHT = 260;
const PADDING = 8;
/** A screen cannot show more points. */
const MAX_POINTS = 240;

interface ChartPictureProps {
  /** How many days after the first each one is. */
  offsets: readonly number[];
  lines: readonly ChartLine[];
  marks: readonly ChartMark[];
}

/** The lines as a plain picture, until the script draws them with axes. */
function ChartPicture({ offsets, lines, marks }: ChartPictureProps) {
  const extent = extentOf(lines);
  const hasZero = showsZero(lines);
  const low = hasZero ? Math.min(0, extent[0]) : extent[0];
  const span = (hasZero ? Math.max(0, extent[1]) : extent[1]) - low || 1;
  const x = (i: number) => Math.round(((offsets[i] ?? 0) / Math.max(1, offsets.at(-1) ?? 0)) * WIDTH);
  const y = (value: number) => Math.round(HEIGHT - PADDING - ((value - low) / span) * (HEIGHT - 2 * PADDING));
  return (
    <svg class="picture" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
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
                  {fill && hasZero && <polygon points={`${x(from)},${y(0)} ${points} ${x(until)},${y(0)}`} />}
                  <polyline points={points} />
                </g>
              );
            })}
          </g>
        );
      })}
      {marks.map(({ index }) => (
        <circle key={index} cx={x(index)} cy={y(lines[0]?.values[index] ?? 0)} r="4" />
      ))}
    </svg>
  );
}
