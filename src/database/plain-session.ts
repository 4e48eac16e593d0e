import { once } from 'node:events';
import type pg from 'pg';
import type { DatabaseSettings, SessionUse } from '../platform/config/database-settings.js';
import { type DatabaseAddress, directAddress } from './address.js';
import { BoundedClient, sessionConfig } from './sessions/bounded-client.js';

/**
 * Runs `work` in a session outside of the application.
 *
 * @param use determines its limits
 * @param signal ends the session
 */
export async function withPlainSession<T>(
  address: DatabaseAddress,
  settings: DatabaseSettings,
  work: (session: pg.Client) => Promise<T>,
  use: SessionUse = 'background',
  signal?: AbortSignal,
): Promise<T> {
  signal?.throwIfAborted();
  const session = new BoundedClient(sessionConfig(directAddress(address), settings, use));
  // The query fails by itself; without a listener the event would end the process.
  session.on('error', () => undefined);
  const end = () => void session.end().catch(() => undefined);
  signal?.addEventListener('abort', end);
  try {
    // pg never settles a connect whose session ends meanwhile.
    await Promise.race([session.connect(), once(session, 'end')]);
    await session.limit();
    return await work(session);
  } finally {
    signal?.removeEventListener('abort', end);
    await session.end().catch(() => undefined);
  }
}
