import type { Socket } from 'node:net';
import type pg from 'pg';
import { clientConfig, type DatabaseAddress, directAddress, SESSION_NAME } from '../../database/address.js';
import type { DatabaseSettings } from '../../platform/config/database-settings.js';
import { answerTimeoutMs, BoundedClient, READ_TIMEOUT } from '../../database/sessions/bounded-client.js';

/** What the text of COPY depends on beside the dates of {@link BoundedClient}. */
const PLAIN_TEXT = [`intervalstyle = 'postgres'`, `bytea_output = 'hex'`, `extra_float_digits = 1`];
/** On Citus: one session per node, so that all its tables are read in one snapshot. Ignored elsewhere. */
const ONE_SNAPSHOT_PER_NODE = 'citus.max_adaptive_executor_pool_size = 1';

type Isolation = 'isolation level repeatable read read only' | 'isolation level read committed';

/**
 * Runs `work` in one transaction of a session outside all pools, because their limit on the time of an answer is too
 * short for a COPY. The transaction is rolled back if `work` fails.
 *
 * @param signal ends the session, and with it the transaction
 */
export async function inCopyTransaction<T>(
  address: DatabaseAddress,
  settings: DatabaseSettings,
  isolation: Isolation,
  work: (session: pg.Client) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const session = await openCopySession(address, settings);
  const cutOff = () => void streamOf(session).destroy();
  signal?.addEventListener('abort', cutOff, { once: true });
  try {
    signal?.throwIfAborted();
    await session.query(`begin ${isolation}; ${localSettings(settings)}`);
    const result = await work(session);
    await session.query('commit');
    await session.end();
    return result;
  } catch (error) {
    // An aborted COPY leaves the session in the middle of a message, so nothing more can be sent.
    streamOf(session).destroy();
    throw error;
  } finally {
    signal?.removeEventListener('abort', cutOff);
  }
}

async function openCopySession(address: DatabaseAddress, settings: DatabaseSettings): Promise<pg.Client> {
  const session = new BoundedClient({
    ...clientConfig(directAddress(address)),
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    connectionTimeoutMillis: settings.connectTimeoutMs,
    application_name: `${SESSION_NAME} backup`,
  });
  // The current query fails by itself; without a listener the event would end the process.
  session.on('error', () => undefined);
  await session.connect();
  const stream = streamOf(session);
  // A frozen server closes no session, and is silent for longer than any statement may take.
  stream.setTimeout(answerTimeoutMs(settings.limits.migration), () => stream.destroy(new Error(READ_TIMEOUT)));
  return session;
}

/** For this transaction only, because a pooler shares the session with others. */
function localSettings({ limits: { migration } }: DatabaseSettings): string {
  const limits = [
    `statement_timeout = ${migration.statementTimeoutMs}`,
    `lock_timeout = ${migration.lockTimeoutMs}`,
    `idle_in_transaction_session_timeout = ${migration.idleInTransactionTimeoutMs}`,
  ];
  return [...limits, ...PLAIN_TEXT, ONE_SNAPSHOT_PER_NODE].map((setting) => `set local ${setting}`).join('; ');
}

function streamOf(session: pg.Client): Socket {
  return (session as unknown as { connection: { stream: Socket } }).connection.stream;
}
