import { addDays, type CalendarDate } from '../../platform/time/calendar-date.js';

/** A range of days until today. */
export interface Range {
  name: string;
  text: string;
  /** The day whose end is its start; `null`: that of the history. */
  from: (today: CalendarDate) => CalendarDate | null;
}

const RANGES: readonly Range[] = [
  { name: '30d', text: '30 days', from: (today) => addDays(today, -30) },
  { name: 'month', text: 'This month', from: (today) => addDays(`${today.slice(0, 7)}-01`, -1) },
  { name: 'year', text: 'This year', from: (today) => addDays(`${today.slice(0, 4)}-01-01`, -1) },
  { name: '1y', text: '1 year', from: (today) => addDays(today, -365) },
  { name: 'all', text: 'All', from: () => null },
];

/** The range of a name in an address; the default for any other text. */
export function rangeOf(name: unknown, usual: '1y' | 'all'): Range {
  return RANGES.find((range) => range.name === name) ?? RANGES.find((range) => range.name === usual)!;
}

/** Links, not buttons: each range has its own address. */
export function RangeSwitch({ current, href }: { current: Range; href: (range: Range) => string }) {
  return (
    <nav class="switch" aria-label="Range">
      {RANGES.map((range) => (
        <a key={range.name} href={href(range)} aria-current={range === current ? 'true' : undefined}>
          {range.text}
        </a>
      ))}
    </nav>
  );
}
