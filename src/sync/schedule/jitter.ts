import { hash } from 'node:crypto';

const MAX_JITTER_MS = 15 * 60_000;

/**
 * The delay of a connection after a tick, so that the connections of all installs do not call a provider at the same
 * second. It is constant for a connection and at most a quarter of the time to the next tick.
 *
 * @param untilNextTickMs `null`: unknown, so there is no delay
 */
export function jitterMs(connectionId: string, untilNextTickMs: number | null): number {
  const window = Math.min(MAX_JITTER_MS, (untilNextTickMs ?? 0) / 4);
  const fraction = hash('sha256', connectionId, 'buffer').readUInt32BE() / 2 ** 32;
  return Math.floor(Math.max(0, window) * fraction);
}
