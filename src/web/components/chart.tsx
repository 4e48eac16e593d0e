import { type CalendarDate, daysBetween } from '../../time/calendar-date.js';
import { minorDigits } from '../../money/currency.js';
import { type ChartLine, type ChartMark, piecesOf, showsZero } from './chart-line.js';
import { ChartPicture } from './chart-picture.js';
import { changeText, moneyText } from './money.js';
import { currentNumberFormat } from './number-text.js';
import { dayText } from './when.js';

interface ChartProps {
  name: string;
  currency: string;
  days: readonly CalendarDate[];
  lines: readonly ChartLine[];
  marks?: readonly ChartMark[];
  /** A sentence for people who cannot see the chart. */
  summary: string;
  /** The address of a day's record, which replaces `#day`; the date is appended. */
  dayHref?: string;
}

/** A picture without scripts; with them it follows the pointer and the arrow keys. */
export function Chart({ name, currency, days, lines, marks = [], summary, dayHref }: ChartProps) {
  const hasZero = showsZero(lines);
  const drawn = lines.map((line) => {
    const { label, values, fill, change } = line;
    return { label, values, fill: fill && hasZero, change, dashed: piecesOf(line).filter(({ isDashed }) => isDashed) };
  });
  const digits = minorDigits(currency) ?? 2;
  const data = {
    currency,
    digits,
    numberFormat: currentNumberFormat(),
    hasZero,
    days: compactDays(days),
    lines: drawn,
    marks,
    dayHref,
  };
  // Escaped, because a name with `<` could close the script element.
  const json = JSON.stringify(data).replaceAll('<', '\\u003c');
  return (
    <figure class="chart" data-chart={name}>
      <div class="plot" tabIndex={0} role="img" aria-label={summary}>
        <ChartPicture lines={lines} marks={marks} />
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
      {lines.map(({ label, values, change }, at) => (
        <span key={label} class={`key-${at + 1}`}>
          {label} {(change ? changeText : moneyText)(values.at(-1) ?? 0, currency)}
        </span>
      ))}
    </p>
  );
}

/** Evenly spaced days: the first, the number and the step. */
function compactDays(days: readonly CalendarDate[]) {
  const [first = '', second = first] = days;
  return { first, count: days.length, step: Math.max(1, daysBetween(first, second)) };
}
