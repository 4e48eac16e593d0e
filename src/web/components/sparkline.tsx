import { evenly } from './evenly.js';

const WIDTH = 112;
const HEIGHT = 28;
const PADDING = 2;
/** A sparkline has no more pixels. */
const MAX_POINTS = 56;

/** A line without axes. The numbers are beside it. */
export function Sparkline({ values }: { values: readonly number[] }) {
  if (values.length < 2) return <span class="sparkline" />;
  const low = Math.min(...values);
  const span = Math.max(...values) - low;
  const x = (i: number) => (PADDING + (i / (values.length - 1)) * (WIDTH - 2 * PADDING)).toFixed(1);
  const y = (value: number) => {
    const share = span === 0 ? 0.5 : (value - low) / span;
    return (HEIGHT - PADDING - share * (HEIGHT - 2 * PADDING)).toFixed(1);
  };
  const points = evenly(values.length, MAX_POINTS)
    .map((i) => `${x(i)},${y(values[i]!)}`)
    .join(' ');
  return (
    <svg class="sparkline" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width={WIDTH} height={HEIGHT} aria-hidden="true">
      <polyline points={points} />
    </svg>
  );
}
