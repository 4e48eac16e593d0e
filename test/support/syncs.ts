import { setTimeout } from 'node:timers/promises';
import type { TestAnswer, TestClient } from './app.js';

/** A busy machine is slow, not wrong: only what never comes takes so long. */
const DEADLINE_MS = 180_000;
const FIRST_PAUSE_MS = 10;
const MAX_PAUSE_MS = 100;

/** Asks for a sync now. */
export function syncNow(client: TestClient, connectionId: string): Promise<TestAnswer> {
  return client.post(`/api/v1/connections/${connectionId}/sync`);
}

/** A sync once it has ended. */
export async function ended(client: TestClient, syncId: string): Promise<TestAnswer['body']> {
  return until(async () => {
    const { body } = await client.get(`/api/v1/syncs/${syncId}`);
    return ['queued', 'running'].includes(body.status) ? null : body;
  }, `ended: sync ${syncId}`);
}

/** Syncs now and waits for the end. */
export async function synced(client: TestClient, connectionId: string): Promise<TestAnswer['body']> {
  return ended(client, (await syncNow(client, connectionId)).body.id);
}

/** Looks again and again until there is something to see. */
export async function until<T>(look: () => Promise<T | null>, what: string): Promise<T> {
  const deadline = performance.now() + DEADLINE_MS;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 1.2, MAX_PAUSE_MS)) {
    const seen = await look();
    if (seen !== null) return seen;
    if (performance.now() > deadline) throw new Error(`still not ${what}`);
    await setTimeout(pauseMs);
  }
}
