import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { StartupError } from '../../startup-error.js';
import type { Binaries } from './binaries.js';
import { type PostmasterPid, readPostmasterPid } from './postmaster-pid.js';
import { notWritable, type RunAs } from './run-as.js';

/** No network: clients come through the socket directory, and the number only names the socket. */
export const PORT = 5432;
const READY_TIMEOUT_MS = 60_000;
const POLL_MS = 20;

/** Test databases are thrown away: nothing has to survive a power cut. */
const NOT_DURABLE = ['-c', 'fsync=off', '-c', 'synchronous_commit=off', '-c', 'full_page_writes=off'];

/** Starts the server in a process group of its own: the terminal's Ctrl-C is for us, and we stop it when we are done. */
export async function startServer(
  cluster: string,
  socketDir: string,
  { postgres }: Binaries,
  runAs: RunAs,
  durable: boolean,
): Promise<PostmasterPid> {
  await prepareSocketDir(socketDir, runAs);
  const logFile = join(socketDir, 'log');
  const log = openSync(logFile, 'w', 0o600);
  const settings = [
    '-D',
    cluster,
    '-k',
    socketDir,
    '-p',
    String(PORT),
    '-c',
    'listen_addresses=',
    '-c',
    'max_connections=200',
  ];
  const [program, ...args] = [...runAs.prefix, postgres, ...settings, ...(durable ? [] : NOT_DURABLE)];
  const child = spawn(program!, args, { ...runAs.options, cwd: '/', detached: true, stdio: ['ignore', log, log] });
  closeSync(log);
  const ended = new Promise<number | null>((resolve) => {
    child.on('error', () => resolve(null));
    child.on('exit', resolve);
  });
  child.unref();
  return waitUntilReady(cluster, logFile, ended);
}

async function prepareSocketDir(socketDir: string, runAs: RunAs): Promise<void> {
  try {
    await mkdir(socketDir, { recursive: true, mode: 0o700 });
    await runAs.own(socketDir);
    await rm(join(socketDir, 'log'), { force: true });
  } catch (error) {
    throw notWritable(socketDir, error as NodeJS.ErrnoException);
  }
}

/** Ready when the server says so in its own file; when it dies instead, its last words are the error. */
export async function waitUntilReady(
  cluster: string,
  logFile: string,
  ended: Promise<unknown> = new Promise(() => undefined),
): Promise<PostmasterPid> {
  const deadline = performance.now() + READY_TIMEOUT_MS;
  let over = false;
  void ended.then(() => (over = true));
  for (;;) {
    const running = await readPostmasterPid(cluster);
    if (running?.ready) return running;
    if ((over && !running) || performance.now() > deadline) {
      const words = await readFile(logFile, 'utf8').catch(() => '');
      const last = words.trim().split('\n').slice(-3).join(' | ') || 'it said nothing';
      throw new StartupError(`The embedded PostgreSQL does not start: ${last}`);
    }
    await wait(POLL_MS);
  }
}
