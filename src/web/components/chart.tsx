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
  /** What it shows, in a sentence, for who cannot see it. */
  summary: string;
  /** Where the record of a day is, which takes the place of `#day`: its date is put at the end. */
  dayHref?: string;
}

/** A picture that reads without scripts; with them it answers to pointer and arrow keys. */
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
  // `<` would let a name end the block; there is no other way out of it.
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

/** What the newest day says; a script says it of the day that is pointed at. */
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

/** Days stand evenly: the first, how many, and how far apart say all. */
function compactDays(days: readonly CalendarDate[]) {
  const [first = '', second = first] = days;
  return { first, count: days.length, step: Math.max(1, daysBetween(first, second)) };
}
