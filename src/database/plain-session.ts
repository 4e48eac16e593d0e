import { once } from 'node:events';
import type pg from 'pg';
import type { DatabaseSettings, SessionUse } from '../platform/config/database-settings.js';
import { type DatabaseAddress, directAddress } from './address.js';
import { answerTimeoutMs, BoundedClient, sessionConfig, usingSessionsFor } from './sessions/bounded-client.js';

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
  return inSession(new BoundedClient(sessionConfig(directAddress(address), settings, use)), work, signal);
}

/**
 * Runs `work` in a session for COPY. Each statement may take as long as one of a migration, and pg sets no timer of its
 * own, which the end of a COPY would not clear.
 *
 * @param signal ends the session
 */
export async function withCopySession<T>(
  address: DatabaseAddress,
  settings: DatabaseSettings,
  work: (session: pg.Client) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const config = sessionConfig(directAddress(address), settings, 'migration');
  const session = new BoundedClient({ ...config, query_timeout: 0 });
  const silenceMs = answerTimeoutMs(settings.limits.migration);
  const copy = () => {
    session.endAfterSilence(silenceMs);
    return work(session);
  };
  return usingSessionsFor('migration', () => inSession(session, copy, signal));
}

async function inSession<T>(
  session: BoundedClient,
  work: (session: pg.Client) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  signal?.throwIfAborted();
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
