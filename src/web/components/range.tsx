import { addDays, type CalendarDate, earliest, isCalendarDate } from '../../platform/time/calendar-date.js';
import { type Fields, textOf } from './form-fields.js';
import { dayText } from './when.js';

/** Some days, of which a page shows what changed. */
export interface Range {
  /** `null`: from one day to another, as the person chose them. */
  name: string | null;
  /** `null`: the first of the history. */
  first: CalendarDate | null;
  last: CalendarDate;
  /** What an address of the same range has. */
  query: string;
}

interface NamedRange {
  name: string;
  text: string;
  first: (today: CalendarDate) => CalendarDate | null;
}

const RANGES: readonly NamedRange[] = [
  { name: '30d', text: '30 days', first: (today) => addDays(today, -29) },
  { name: 'month', text: 'This month', first: (today) => `${today.slice(0, 7)}-01` },
  { name: 'year', text: 'This year', first: (today) => `${today.slice(0, 4)}-01-01` },
  { name: '1y', text: '1 year', first: (today) => addDays(today, -364) },
  { name: 'all', text: 'All', first: () => null },
];

/** The range of an address: `range` names one, `from` and `to` are its days otherwise; in whichever order, and until today. */
export function rangeOf(query: Fields, today: CalendarDate, usual: '1y' | 'all'): Range {
  const named = RANGES.find(({ name }) => name === textOf(query, 'range'));
  const days = ['from', 'to'].map((name) => textOf(query, name)).filter(isCalendarDate);
  if (named || days.length < 2) {
    const { name, first } = named ?? RANGES.find((range) => range.name === usual)!;
    return { name, first: first(today), last: today, query: `range=${name}` };
  }
  const [first, last] = days.map((day) => earliest(day, today)).sort() as [CalendarDate, CalendarDate];
  return { name: null, first, last, query: `from=${first}&to=${last}` };
}

interface RangeSwitchProps {
  current: Range;
  path: string;
  /** What else the address has. */
  rest?: Readonly<Record<string, string>>;
  /** The day of the last visit, which is a range with all of it; `null`: there was none. */
  visitedOn?: CalendarDate | null;
  today: CalendarDate;
}

/** Links, not buttons: each range has its own address. */
export function RangeSwitch({ current, path, rest = {}, visitedOn = null, today }: RangeSwitchProps) {
  const { first, last } = current;
  const more = Object.entries(rest)
    .map(([name, value]) => `&${name}=${value}`)
    .join('');
  const sinceVisit = visitedOn && `from=${visitedOn}&to=${today}`;
  const isOwn = current.name === null && current.query !== sinceVisit;
  return (
    <nav class="switch" aria-label="Range">
      {sinceVisit && (
        <a href={`${path}?${sinceVisit}${more}`} aria-current={current.query === sinceVisit ? 'true' : undefined}>
          Since last visit
        </a>
      )}
      {RANGES.map(({ name, text }) => (
        <a key={name} href={`${path}?range=${name}${more}`} aria-current={name === current.name ? 'true' : undefined}>
          {text}
        </a>
      ))}
      <details class="period">
        <summary aria-current={isOwn ? 'true' : undefined}>
          {isOwn ? `${dayText(first ?? last)} – ${dayText(last)}` : 'From – to'}
        </summary>
        <form method="get" action={path} class="card">
          {Object.entries(rest).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <input type="date" name="from" value={first ?? undefined} required aria-label="From" />
          <input type="date" name="to" value={last} required aria-label="To" />
          <button type="submit" class="second small">
            Show
          </button>
        </form>
      </details>
    </nav>
  );
}
