import { evenly } from './chart-line.js';

const WIDTH = 112;
const HEIGHT = 28;
const PADDING = 2;
/** Coordinates are whole numbers of half a pixel, which are short: a page may have hundreds of lines. */
const UNITS_PER_PIXEL = 2;
/** More cannot be told apart. */
const MAX_POINTS = 40;

/** A line without axes. The numbers are beside it. */
export function Sparkline({ values }: { values: readonly number[] }) {
  if (values.length < 2) return <span class="sparkline" />;
  const low = Math.min(...values);
  const span = Math.max(...values) - low;
  const units = (pixels: number) => Math.round(pixels * UNITS_PER_PIXEL);
  const x = (i: number) => units(PADDING + (i / (values.length - 1)) * (WIDTH - 2 * PADDING));
  const y = (value: number) => {
    const share = span === 0 ? 0.5 : (value - low) / span;
    return units(HEIGHT - PADDING - share * (HEIGHT - 2 * PADDING));
  };
  const points = evenly(values.length, MAX_POINTS)
    .map((i) => `${x(i)},${y(values[i]!)}`)
    .join(' ');
  return (
    <svg class="sparkline" viewBox={`0 0 ${units(WIDTH)} ${units(HEIGHT)}`} aria-hidden="true">
      <polyline points={points} />
    </svg>
  );
}
