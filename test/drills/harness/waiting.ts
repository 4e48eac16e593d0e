import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 20;

export const pause = (ms: number): Promise<void> => sleep(ms);

/** Asks again and again until the answer is neither null nor false. @returns null when time is up */
export async function poll<T>(look: () => Promise<T | null | false> | T | null | false, maxMs: number) {
  const deadline = performance.now() + maxMs;
  for (;;) {
    const seen = await look();
    if (seen !== null && seen !== false) return seen;
    if (performance.now() > deadline) return null;
    await sleep(POLL_MS);
  }
}

/** Like {@link poll}. @throws when time is up */
export async function until<T>(
  look: () => Promise<T | null | false> | T | null | false,
  what: string,
  maxMs = 60_000,
): Promise<T> {
  const seen = await poll(look, maxMs);
  if (seen === null) throw new Error(`after ${seconds(maxMs)} still not: ${what}`);
  return seen;
}

/** @returns the value, or null when time is up first */
export async function within<T>(promise: Promise<T>, maxMs: number): Promise<T | null> {
  const stop = new AbortController();
  const timeout = sleep(maxMs, null, { signal: stop.signal }).catch(() => null);
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    stop.abort();
  }
}

/** @returns how long the work took, and what came of it */
export async function timed<T>(work: Promise<T>): Promise<{ ms: number; value: T }> {
  const startedAt = performance.now();
  const value = await work;
  return { ms: performance.now() - startedAt, value };
}

/** "0.3 s" */
export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(ms < 100_000 ? 1 : 0)} s`;
}
