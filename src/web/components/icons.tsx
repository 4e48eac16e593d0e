/** The strokes of each icon, on a field of 20 by 20. */
const STROKES = {
  overview: 'M3 14.5 7.5 9l3.5 3L17 5M3 17.5h14',
  bank: 'M3 8 10 3.5 17 8zM5 8v7m3.3-7v7m3.4-7v7M15 8v7M3 16.5h14',
  key: 'M10.5 12.5a3.5 3.5 0 1 1-7 0 3.5 3.5 0 0 1 7 0M9.6 10 16 3.6M13 6.6l2.4 2.4',
  settings:
    'M3 6h7m5 0h2M3 14h2m5 0h7M14.7 6a2.2 2.2 0 1 1-4.4 0 2.2 2.2 0 0 1 4.4 0M9.7 14a2.2 2.2 0 1 1-4.4 0 2.2 2.2 0 0 1 4.4 0',
  module: 'M4 4h5v5H4zM11 4h5v5h-5zM4 11h5v5H4zM11 11h5v5h-5z',
  warn: 'M10 3.2 17.6 16.5H2.4zM10 8.2v4m0 2v.1',
  done: 'M17 10a7 7 0 1 1-14 0 7 7 0 0 1 14 0M6.8 10.2 9 12.5l4.2-4.8',
};

export type IconName = keyof typeof STROKES;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
      <path d={STROKES[name]} />
    </svg>
  );
}

/** Two tide lines under their mark. */
export function Logo() {
  return (
    <svg class="mark" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
      <path d="M3 7h18M3 13c3-3.2 6-3.2 9 0s6 3.2 9 0M3 19c3-3.2 6-3.2 9 0s6 3.2 9 0" />
    </svg>
  );
}
