import { type DatabaseAddress, directAddress } from './address.js';
import type { DatabaseSettings, SessionLimits } from '../config/database-settings.js';
import { SessionClient } from './sessions/session-client.js';
import { sessionConfig } from './sessions/session-pool.js';

/**
 * Runs `work` in a session outside of the application.
 *
 * @param limits default: those of background work
 * @param signal ends the session
 */
export async function withPlainSession<T>(
  address: DatabaseAddress,
  settings: DatabaseSettings,
  work: (session: SessionClient) => Promise<T>,
  limits: SessionLimits = settings.limits.background,
  signal?: AbortSignal,
): Promise<T> {
  signal?.throwIfAborted();
  const session = new SessionClient(sessionConfig(directAddress(address), settings));
  // The query fails by itself; without a listener the event would end the process.
  session.on('error', () => undefined);
  const end = () => void session.end().catch(() => undefined);
  signal?.addEventListener('abort', end);
  try {
    await session.connect();
    await session.limitTo(limits);
    return await work(session);
  } finally {
    signal?.removeEventListener('abort', end);
    await session.end().catch(() => undefined);
  }
}
