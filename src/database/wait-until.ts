import { setTimeout as wait } from 'node:timers/promises';

/** @returns whether the condition came true in time */
export async function waitUntil(
  condition: () => Promise<boolean> | boolean,
  timeoutMs: number,
  pollMs: number,
): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (!(await condition())) {
    if (performance.now() > deadline) return false;
    await wait(pollMs);
  }
  return true;
}
