import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { chooseRunAs } from '../../src/database/embedded/installation.js';
import { waitFor } from './run-process.js';

const INSTALLED = '/usr/lib/postgresql';

/** The PostgreSQL that Debian has installed on this machine, usually of another version than the embedded one. */
export const DEBIAN_VERSION = existsSync(INSTALLED)
  ? readdirSync(INSTALLED).find((version) => existsSync(join(INSTALLED, version, 'bin', 'postgres')))
  : undefined;

/** Whether its extension Citus is installed, too: test/drills/citus/README.md says how. */
export const DEBIAN_HAS_CITUS =
  DEBIAN_VERSION !== undefined && existsSync(join(INSTALLED, DEBIAN_VERSION, 'lib', 'citus.so'));

export interface DebianPostgres {
  urlOf: (database: string) => string;
  /** Ends it without a word, and leaves its recovery to the next start. */
  kill: () => Promise<void>;
  startAgain: () => Promise<void>;
  stop: () => Promise<void>;
}

/** A server in a folder of its own, which goes with it. @param more settings, as in postgresql.conf */
export async function startDebianPostgres(more: readonly string[] = []): Promise<DebianPostgres> {
  const bin = join(INSTALLED, DEBIAN_VERSION!, 'bin');
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-debian-'));
  const cluster = join(folder, 'cluster');
  const runAs = chooseRunAs();
  await runAs.own(folder);
  const options = { cwd: '/' };
  const command = (program: string, ...args: string[]) => [...runAs.prefix, join(bin, program), ...args] as const;
  const [initdb, ...initArgs] = command('initdb', '-D', cluster, '-U', 'tidemark', '-A', 'trust', '-E', 'UTF8', '-N');
  const made = spawnSync(initdb!, [...initArgs, '--locale=C.UTF-8'], { ...options, encoding: 'utf8' });
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
  const settings = ['listen_addresses=', 'fsync=off', 'max_connections=100', ...more].flatMap((setting) => [
    '-c',
    setting,
  ]);
  const [postgres, ...args] = command('postgres', '-D', cluster, '-k', folder, ...settings);
  const urlOf = (database: string) => `postgresql://tidemark@${encodeURIComponent(folder)}:5432/${database}`;
  let server: ChildProcess | null = null;
  const startAgain = async () => {
    server = spawn(postgres!, args, { ...options, stdio: 'ignore' });
    await waitFor(() => answers(urlOf('postgres')), 'started');
  };
  const end = async (signal: NodeJS.Signals) => {
    if (server?.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    server.kill(signal);
    await ended;
  };
  const stop = async () => {
    await end('SIGINT');
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await startAgain();
  } catch (error) {
    await stop();
    throw error;
  }
  return { urlOf, kill: () => end('SIGQUIT'), startAgain, stop };
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client(url);
  client.on('error', () => undefined);
  return client.connect().then(
    () => client.end().then(() => true),
    () => false,
  );
}
