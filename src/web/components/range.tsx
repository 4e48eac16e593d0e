import { addDays, type CalendarDate } from '../../platform/time/calendar-date.js';

const RANGES = [
  { name: '30d', text: '30 days', days: 30 },
  { name: '90d', text: '90 days', days: 90 },
  { name: '1y', text: '1 year', days: 365 },
  { name: 'all', text: 'All', days: null },
] as const;

export type Range = (typeof RANGES)[number];

/** The range of a name in an address; the default for any other text. */
export function rangeOf(name: unknown, usual: Range['name']): Range {
  return RANGES.find((range) => range.name === name) ?? RANGES.find((range) => range.name === usual)!;
}

/** The first day of a range; `null`: the oldest one. */
export function firstDayOf(range: Range, today: CalendarDate): CalendarDate | null {
  return range.days === null ? null : addDays(today, -range.days);
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
