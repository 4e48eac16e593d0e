import type pg from 'pg';
import { EXIT_CONFIG, StartupError } from '../../platform/config/startup-error.js';
import { waitUntil } from '../wait-until.js';
import { SUPERUSER } from './cluster.js';
import { findInstallation } from './installation.js';
import { connectToServer, PORT, readLockFile, stopServer } from './server.js';

const DATABASE = 'tidemark';
/** Any number that no other program takes as its advisory lock in this server. Commands without a service share it. */
const OWNER_LOCK = 7_302_772;

/** The session of a killed process may last a moment longer. */
const KILLED_LEAVE_MS = 2_000;
const POLL_MS = 100;

const NEVER = new AbortController().signal;

interface EmbeddedOptions {
  dataDir: string;
  /** `false` only for test data. */
  durable: boolean;
  /** Whether to use the server that others use, as a command does beside a service or other commands. */
  mayJoin?: boolean;
  /** Aborts the start. */
  signal?: AbortSignal;
  /** Called when the server of this process has died. */
  onDied?: (error: StartupError) => void;
}

export interface EmbeddedPostgres {
  /** Folder of the Unix socket. */
  host: string;
  port: number;
  user: string;
  dbName: string;
  /** Stops the server, unless others use it. */
  stop: () => Promise<void>;
}

/**
 * Starts the embedded PostgreSQL of a data directory. Its owner is the service whose session holds a lock in it, which ends
 * with the process and with the server; without one, the commands that share the lock, of which the last stops the server.
 *
 * @throws StartupError with a sentence that says what to do
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const { dataDir, durable, mayJoin = false, signal = NEVER, onDied } = options;
  const installation = await findInstallation(dataDir, durable);
  const session = await connectToServer(installation, signal);
  const address = { host: installation.socketDir, port: PORT, user: SUPERUSER, dbName: DATABASE };
  const takeLock = async (suffix = '') => {
    const { rows } = await session.query<{ mine: boolean }>(`select pg_try_advisory_lock${suffix}($1) as mine`, [
      OWNER_LOCK,
    ]);
    return rows[0]!.mine;
  };
  const isAllowed = await (mayJoin ? takeLock('_shared') : waitUntil(() => takeLock(), KILLED_LEAVE_MS, POLL_MS));
  if (!isAllowed) {
    await session.end();
    if (mayJoin) return { ...address, stop: () => Promise.resolve() };
    throw new StartupError(
      `Another Tidemark uses ${dataDir}: stop it, or set DATA_DIR to another folder.`,
      EXIT_CONFIG,
    );
  }
  const { pid } = (await readLockFile(installation.cluster))!;
  let isStopping = false;
  const isLast = async () => {
    await session.query('select pg_advisory_unlock_shared($1)', [OWNER_LOCK]);
    return takeLock();
  };
  const stop = async () => {
    isStopping = true;
    // A server that does not answer is none that others use.
    if (mayJoin && !(await isLast().catch(() => true))) await session.end();
    else await stopServer(pid);
  };
  session.on('end', () => {
    if (!isStopping) onDied?.(new StartupError(`The embedded PostgreSQL died: see its log, ${installation.logFile}.`));
  });
  await ensureDatabase(session).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  letProcessEnd(session);
  return { ...address, stop };
}

async function ensureDatabase(session: pg.Client): Promise<void> {
  const { rowCount } = await session.query('select 1 from pg_database where datname = $1', [DATABASE]);
  if (!rowCount) await session.query(`create database ${DATABASE}`);
}

/** Although the session is open. `pg` has the method; its types do not. */
function letProcessEnd(session: pg.Client): void {
  (session as unknown as { unref(): void }).unref();
}
