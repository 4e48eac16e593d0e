import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { makeFolder } from '../../platform/config/make-folder.js';
import { cannotUse, StartupError } from '../../platform/config/startup-error.js';
import { clientConfig, SESSION_NAME } from '../address.js';
import { BoundedClient } from '../sessions/bounded-client.js';
import { waitUntil } from '../wait-until.js';
import { cannotRun, ensureCluster, SUPERUSER } from './cluster.js';
import type { Installation } from './installation.js';

/** Part of the socket's name only; there is no network. */
export const PORT = 5432;
const CONNECT_TIMEOUT_MS = 10_000;
/** Of any statement; a slow disk may need some seconds for a new database. */
const ANSWER_TIMEOUT_MS = 60_000;
/** A server that was killed replays its log first. */
const READY_TIMEOUT_MS = 300_000;
const STOP_TIMEOUT_MS = 20_000;
const POLL_MS = 20;

const SETTINGS = {
  listen_addresses: '',
  // Whoever reaches the socket is let in as the superuser.
  unix_socket_permissions: '0700',
  max_connections: '200',
  // How soon the server notices a client that was killed during a long statement.
  client_connection_check_interval: '1s',
};

/** For test data, which need not survive a power cut. */
const NOT_DURABLE = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

/** What a server says of itself in `postmaster.pid`, which a killed one leaves behind. */
interface LockFile {
  pid: number;
  /** Empty until the server listens there. */
  socketDir: string;
  isReady: boolean;
}

/**
 * Connects to the server of a data directory. One that a killed service has left is used as it is; where nobody listens,
 * one is started.
 */
export async function connectToServer(installation: Installation, signal: AbortSignal): Promise<pg.Client> {
  const { cluster, socketDir, logFile } = installation;
  const deadline = performance.now() + READY_TIMEOUT_MS;
  let server: ChildProcess | null = null;
  try {
    while (performance.now() < deadline) {
      signal.throwIfAborted();
      // Read first: whoever listened then, and does not now, is gone.
      const lock = await readLockFile(cluster);
      const isStarting = server !== null && isRunning(server);
      // A server notes attempts before it is ready in its log.
      const found = isStarting && !lock?.isReady ? 'busy' : await openSession(socketDir);
      if (typeof found !== 'string') return found;
      if (found === 'absent' && !isStarting) {
        if (server) throw new StartupError(`The embedded PostgreSQL does not start: ${await lastLines(logFile)}`);
        await ensureCluster(installation, signal);
        if (lock?.socketDir === socketDir) await removeLockFiles(installation);
        server = await spawnServer(installation);
      }
      await wait(POLL_MS, undefined, { signal });
    }
    throw new StartupError(`The embedded PostgreSQL does not get ready: see its log, ${logFile}.`);
  } catch (error) {
    if (server && isRunning(server)) await stopServer(server.pid!);
    throw error;
  }
}

/** `absent`: nobody listens. `busy`: the server starts, recovers or stops. */
async function openSession(socketDir: string): Promise<pg.Client | 'absent' | 'busy'> {
  const session: pg.Client = new BoundedClient({
    ...clientConfig({ host: socketDir, port: PORT, user: SUPERUSER, dbName: 'postgres' }),
    application_name: `${SESSION_NAME} owner`,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: ANSWER_TIMEOUT_MS,
  });
  // Without a listener the event would end the process; 'end' follows.
  session.on('error', () => undefined);
  try {
    await session.connect();
    return session;
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === 'ENOENT' || code === 'ECONNREFUSED') return 'absent';
    // An attempt that ends without an answer has no code.
    if (code === undefined || code === 'ECONNRESET' || code === '57P03') return 'busy';
    throw error;
  }
}

export async function readLockFile(cluster: string): Promise<LockFile | null> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '');
  const [pid, , , , socketDir = '', , , status] = text.split('\n').map((line) => line.trim());
  return pid ? { pid: Number(pid), socketDir, isReady: status === 'ready' } : null;
}

/** PostgreSQL removes those of a dead server, unless another program has its process id by now. */
async function removeLockFiles({ cluster, socketDir }: Installation): Promise<void> {
  await rm(join(cluster, 'postmaster.pid'), { force: true });
  await rm(join(socketDir, `.s.PGSQL.${PORT}.lock`), { force: true });
}

/** A fast shutdown: open transactions are rolled back. */
export async function stopServer(pid: number): Promise<void> {
  const hasEnded = (signal: NodeJS.Signals | 0) => {
    try {
      return !process.kill(pid, signal);
    } catch {
      return true;
    }
  };
  if (!hasEnded('SIGINT')) await waitUntil(() => hasEnded(0), STOP_TIMEOUT_MS, POLL_MS);
}

/** In a process group of its own, so that the terminal's Ctrl-C does not reach it. */
async function spawnServer(installation: Installation): Promise<ChildProcess> {
  const { cluster, socketDir, binaries, runAs, durable } = installation;
  const settings = Object.entries({ ...SETTINGS, ...(durable ? {} : NOT_DURABLE) });
  const options = settings.flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = [binaries.postgres, '-D', cluster, '-k', socketDir, '-p', String(PORT), ...options];
  const [program, ...args] = [...runAs.prefix, ...server];
  const log = await openLog(installation);
  try {
    const child = spawn(program!, args, { cwd: '/', detached: true, stdio: ['ignore', log, log] });
    child.unref();
    await once(child, 'spawn');
    return child;
  } catch (error) {
    throw cannotRun(program!, error as NodeJS.ErrnoException);
  } finally {
    closeSync(log);
  }
}

async function openLog({ socketDir, logFile, runAs }: Installation): Promise<number> {
  try {
    await makeFolder(socketDir);
    await runAs.own(socketDir);
    // If the last server died, that log says why.
    await rename(logFile, `${logFile}.old`).catch(() => undefined);
    return openSync(logFile, 'w', 0o600);
  } catch (error) {
    throw cannotUse(socketDir, error as NodeJS.ErrnoException);
  }
}

function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}

async function lastLines(logFile: string): Promise<string> {
  const log = await readFile(logFile, 'utf8').catch(() => '');
  return log.trim().split('\n').slice(-3).join(' | ') || 'it said nothing';
}
