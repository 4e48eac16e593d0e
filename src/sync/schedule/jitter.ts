import { createHash } from 'node:crypto';

const LONGEST_MS = 15 * 60_000;

/**
 * How long a connection waits after a tick, so that not all ask their provider at the same second: neither those of one
 * install nor those of all installs that tick at the same minute. Always the same for the same connection, and within
 * the first quarter of the time to the next tick.
 *
 * @param untilNextTickMs `null`: not known; then there is no wait
 */
export function spreadMs(connectionId: string, untilNextTickMs: number | null): number {
  const window = Math.min(LONGEST_MS, (untilNextTickMs ?? 0) / 4);
  const fraction = createHash('sha256').update(connectionId).digest().readUInt32BE() / 2 ** 32;
  return Math.floor(Math.max(0, window) * fraction);
}
