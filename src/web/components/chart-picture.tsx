import { evenly } from './evenly.js';
import { type ChartLine, type ChartMark, extentOf, piecesOf, showsZero } from './chart-line.js';

const WIDTH = 1000;
const HEIGHT = 260;
const PADDING = 8;
/** A screen cannot show more points. */
const MAX_POINTS = 240;

/** The lines as a plain picture, until the script draws them with axes. */
export function ChartPicture({ lines, marks }: { lines: readonly ChartLine[]; marks: readonly ChartMark[] }) {
  const extent = extentOf(lines);
  const hasZero = showsZero(lines);
  const low = hasZero ? Math.min(0, extent[0]) : extent[0];
  const span = (hasZero ? Math.max(0, extent[1]) : extent[1]) - low || 1;
  const count = lines[0]?.values.length ?? 0;
  const x = (i: number) => Math.round((i / Math.max(1, count - 1)) * WIDTH);
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
