import { hash } from 'node:crypto';

/**
 * The generator mulberry32, seeded with a text: the same text gives the same numbers in [0, 1) on every machine and for
 * ever. One stream per habit and day, so that a new day never moves the numbers of an older one.
 */
export function randomStream(seed: string): () => number {
  let state = fnv1a(seed);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A whole number from `min` to `max`, both included. */
export function wholeBetween(random: () => number, min: number, max: number): number {
  return min + Math.floor(random() * (max - min + 1));
}

/** One of a list that is not empty. */
export function pick<T>(random: () => number, items: readonly T[]): T {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new RangeError('nothing to pick from');
  return item;
}

/** An id in the provider's form, `TRN-1b4e28ba-2fa1-…`, that is the same wherever the same parts are given. */
export function stableId(prefix: string, ...parts: (string | number)[]): string {
  const hex = hash('sha256', JSON.stringify(parts), 'hex');
  const groups = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)];
  return `${prefix}-${groups.join('-')}`;
}

function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash;
}
