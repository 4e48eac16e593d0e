import type pg from 'pg';
import { type DatabaseAddress, directAddress } from './address.js';
import type { DatabaseSettings } from '../config/database-settings.js';
import { SessionClient } from './sessions/session-client.js';
import { sessionConfig } from './sessions/session-pool.js';

/** Runs `work` in a session outside of the application, with the limits of background work. */
export async function withPlainSession<T>(
  address: DatabaseAddress,
  settings: DatabaseSettings,
  work: (session: pg.Client) => Promise<T>,
): Promise<T> {
  const session = new SessionClient(sessionConfig(directAddress(address), settings));
  // The query fails by itself; without a listener the event would end the process.
  session.on('error', () => undefined);
  await session.connect();
  try {
    await session.limitTo(settings.limits.background);
    return await work(session);
  } finally {
    await session.end().catch(() => undefined);
  }
}
