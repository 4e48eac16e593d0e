/** Up to `max` evenly spread indices below `count`, including the first and the last. */
export function evenly(count: number, max: number): number[] {
  const points = Math.min(count, max);
  return Array.from({ length: points }, (_, i) => Math.round((i / Math.max(1, points - 1)) * (count - 1)));
}
