/** Up to `max` of the indices below `count`, evenly spread, the first and the last among them. */
export function evenly(count: number, max: number): number[] {
  const points = Math.min(count, max);
  return Array.from({ length: points }, (_, i) => Math.round((i / Math.max(1, points - 1)) * (count - 1)));
}
