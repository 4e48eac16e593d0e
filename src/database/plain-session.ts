import type pg from 'pg';
import { type DatabaseAddress, directAddress } from './address.js';
import type { DatabaseSettings, SessionLimits } from '../config/database-settings.js';
import { SessionClient } from './sessions/session-client.js';
import { sessionConfig } from './sessions/session-pool.js';

/** Runs `work` in a session outside of the application. @param limits default: those of background work */
export async function withPlainSession<T>(
  address: DatabaseAddress,
  settings: DatabaseSettings,
  work: (session: pg.Client) => Promise<T>,
  limits: SessionLimits = settings.limits.background,
): Promise<T> {
  const session = new SessionClient(sessionConfig(directAddress(address), settings));
  // The query fails by itself; without a listener the event would end the process.
  session.on('error', () => undefined);
  await session.connect();
  try {
    await session.limitTo(limits);
    return await work(session);
  } finally {
    await session.end().catch(() => undefined);
  }
}
