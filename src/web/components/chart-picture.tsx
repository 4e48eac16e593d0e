import { evenly } from './evenly.js';
import { type ChartLine, type ChartMark, piecesOf } from './chart-line.js';

const WIDTH = 1000;
const HEIGHT = 260;
const PADDING = 8;
/** More than a screen shows only costs bytes. */
const MAX_POINTS = 240;

/** The lines as a plain picture, until a script draws them with axes. */
export function ChartPicture({ lines, marks }: { lines: readonly ChartLine[]; marks: readonly ChartMark[] }) {
  const all = lines.flatMap(({ values }) => [...values]);
  const low = all.reduce((a, b) => Math.min(a, b), Infinity);
  const span = all.reduce((a, b) => Math.max(a, b), -Infinity) - low || 1;
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
                  {fill && <polygon points={`${x(from)},${HEIGHT} ${points} ${x(until)},${HEIGHT}`} />}
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
