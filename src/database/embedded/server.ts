import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { lstat, readFile, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolder } from '../../config/make-folder.js';
import { cannotUse, StartupError } from '../../config/startup-error.js';
import { waitUntil } from '../wait-until.js';
import type { Installation } from './installation.js';
import { commandOf, type PostmasterPid, readPostmasterPid } from './postmaster-pid.js';
import { cannotRun } from './run-as.js';

/** Part of the socket's name only; there is no network. */
export const PORT = 5432;
/** A server that was killed replays its log first. */
export const READY_TIMEOUT_MS = 300_000;
const STOP_TIMEOUT_MS = 20_000;
const POLL_MS = 20;
/** The bits of a mode that let the group and others in. */
const FOR_OTHERS = constants.S_IRWXG | constants.S_IRWXO;

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

interface StartedServer {
  socketDir: string;
  /** `false`: another process was faster. */
  startedHere: boolean;
}

/**
 * Starts the server in a process group of its own, so that the terminal's Ctrl-C does not reach it. A server that does
 * not become ready is stopped.
 */
export async function startServer(installation: Installation, signal: AbortSignal): Promise<StartedServer> {
  await prepareSocketDir(installation);
  const child = spawnServer(installation);
  const ending: { isOver: boolean; failure?: StartupError } = { isOver: false };
  child.on('exit', () => (ending.isOver = true));
  child.on('error', (error) => {
    ending.failure = cannotRun(child.spawnfile, error);
    ending.isOver = true;
  });
  child.unref();
  try {
    const { pid, socketDir } = await waitUntilReady(installation, () => ending.isOver, signal);
    // Another process may have been first: then our server has ended, or is about to.
    return { socketDir, startedHere: pid === child.pid };
  } catch (error) {
    if (!ending.isOver) child.kill('SIGINT');
    await waitUntil(() => ending.isOver, STOP_TIMEOUT_MS, POLL_MS);
    throw ending.failure ?? error;
  }
}

/** Waits for the server that another process has started. It may be starting or stopping. */
export function adoptServer(installation: Installation, signal: AbortSignal): Promise<PostmasterPid> {
  const hasEnded = async () => (await readPostmasterPid(installation.cluster)) === null;
  return waitUntilReady(installation, hasEnded, signal);
}

/** A fast shutdown: open transactions are rolled back. A server of another container is left to that one. */
export async function stopServer(cluster: string): Promise<void> {
  const pid = (await readPostmasterPid(cluster))?.pid;
  if (!pid) return;
  try {
    process.kill(pid, 'SIGINT');
  } catch (error) {
    // It died meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
  // The lock file goes a moment before the process does.
  await waitUntil(async () => (await commandOf(pid))?.length === 0, STOP_TIMEOUT_MS, POLL_MS);
}

function spawnServer({ cluster, socketDir, logFile, binaries, runAs, durable }: Installation): ChildProcess {
  const log = openLog(logFile);
  const settings = Object.entries({ ...SETTINGS, ...(durable ? {} : NOT_DURABLE) });
  const options = settings.flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = [binaries.postgres, '-D', cluster, '-k', socketDir, '-p', String(PORT), ...options];
  const [program, ...args] = [...runAs.prefix, ...server];
  try {
    return spawn(program!, args, { ...runAs.options, cwd: '/', detached: true, stdio: ['ignore', log, log] });
  } finally {
    closeSync(log);
  }
}

function openLog(file: string): number {
  try {
    return openSync(file, 'w', 0o600);
  } catch (error) {
    throw cannotUse(dirname(file), error as NodeJS.ErrnoException);
  }
}

async function prepareSocketDir(installation: Installation): Promise<void> {
  const { socketDir, logFile, runAs } = installation;
  try {
    await makeFolder(socketDir);
    await refuseShared(installation);
    await runAs.own(socketDir);
    await rm(logFile, { force: true });
  } catch (error) {
    throw error instanceof StartupError ? error : cannotUse(socketDir, error as NodeJS.ErrnoException);
  }
}

/** In a folder that everybody may write to, somebody may have made it before. */
async function refuseShared({ socketDir, runAs }: Installation): Promise<void> {
  const found = await lstat(socketDir);
  const isOwned = [process.getuid?.(), runAs.options.uid].includes(found.uid);
  if (found.isDirectory() && isOwned && (found.mode & FOR_OTHERS) === 0) return;
  throw new StartupError(
    `Others may reach the embedded PostgreSQL through ${socketDir}: remove it, or set DATA_DIR to another folder.`,
  );
}

/** Waits until the server's own file says that it is ready. @throws StartupError with its last log lines if it dies */
async function waitUntilReady(
  { cluster, logFile }: Installation,
  hasEnded: () => Promise<boolean> | boolean,
  signal: AbortSignal,
): Promise<PostmasterPid> {
  let running: PostmasterPid | null = null;
  const isSettled = async () => {
    signal.throwIfAborted();
    // In this order, so that a server that ends between the two reads counts as ended.
    const ended = await hasEnded();
    running = await readPostmasterPid(cluster);
    return ended || running?.ready === true;
  };
  await waitUntil(isSettled, READY_TIMEOUT_MS, POLL_MS);
  if (isReady(running)) return running;
  const log = await readFile(logFile, 'utf8').catch(() => '');
  const last = log.trim().split('\n').slice(-3).join(' | ') || 'it said nothing';
  throw new StartupError(`The embedded PostgreSQL does not start: ${last}`);
}

function isReady(running: PostmasterPid | null): running is PostmasterPid {
  return running?.ready === true;
}
