import { type Range, RANGES } from './range.js';

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
