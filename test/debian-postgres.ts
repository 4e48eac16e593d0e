import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { chooseRunAs } from '../src/database/embedded/run-as.js';
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
  stop: () => Promise<void>;
}

/** A server in a folder of its own, which goes with it. @param more settings, as in postgresql.conf */
export async function startDebianPostgres(more: readonly string[] = []): Promise<DebianPostgres> {
  const bin = join(INSTALLED, DEBIAN_VERSION!, 'bin');
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-debian-'));
  const cluster = join(folder, 'cluster');
  await chmod(folder, 0o755);
  const runAs = await chooseRunAs([cluster, join(bin, 'postgres')]);
  await runAs.own(folder);
  const options = { ...runAs.options, cwd: '/' };
  const command = (program: string, ...args: string[]) => [...runAs.prefix, join(bin, program), ...args] as const;
  const [initdb, ...initArgs] = command('initdb', '-D', cluster, '-U', 'tidemark', '-A', 'trust', '-E', 'UTF8', '-N');
  const made = spawnSync(initdb!, [...initArgs, '--locale=C.UTF-8'], { ...options, encoding: 'utf8' });
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
  const settings = ['listen_addresses=', 'fsync=off', 'max_connections=100', ...more].flatMap((setting) => [
    '-c',
    setting,
  ]);
  const [postgres, ...args] = command('postgres', '-D', cluster, '-k', folder, ...settings);
  const server = spawn(postgres!, args, { ...options, stdio: 'ignore' });
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()));
  const urlOf = (database: string) => `postgresql://tidemark@${encodeURIComponent(folder)}:5432/${database}`;
  const stop = async () => {
    server.kill('SIGINT');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await waitFor(() => answers(urlOf('postgres')), 'started');
  } catch (error) {
    await stop();
    throw error;
  }
  return { urlOf, stop };
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client(url);
  client.on('error', () => undefined);
  return client.connect().then(
    () => client.end().then(() => true),
    () => false,
  );
}
