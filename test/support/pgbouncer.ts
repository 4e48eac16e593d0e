import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { chooseRunAs } from '../../src/database/embedded/installation.js';
import type { TestDatabase } from './database.js';
import { freePort } from './free-port.js';
import { waitFor } from './run-process.js';

const INSTALLED = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'].find(existsSync);

/** Whether Debian has installed PgBouncer on this machine. */
export const HAS_PGBOUNCER = INSTALLED !== undefined;

export interface PgBouncer {
  /** Of the database, through the pooler. */
  url: string;
  stop: () => Promise<void>;
}

/** In front of the run's server, with a few sessions for any number of clients. */
export async function startPgBouncer(
  database: TestDatabase,
  mode: 'session' | 'transaction' | 'statement',
  poolSize: number,
): Promise<PgBouncer> {
  const { hostname, searchParams, port, username, password, pathname } = new URL(
    database.url.replace(/@([^/?]+)/, (_, host: string) => `@${host.includes('%2F') ? 'socket' : host}`),
  );
  const socket = /@([^:/]*%2F[^:/]*)/.exec(database.url)?.[1];
  const host = socket ? decodeURIComponent(socket) : hostname || searchParams.get('host')!;
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-pgbouncer-'));
  const runAs = chooseRunAs();
  await runAs.own(folder);
  const listenPort = await freePort();
  const users = join(folder, 'users');
  const settings = join(folder, 'settings.ini');
  writeFileSync(users, `"${username}" "${password}"\n`, { mode: 0o644 });
  writeFileSync(
    settings,
    [
      '[databases]',
      `* = host=${host} port=${port || 5432}`,
      '[pgbouncer]',
      ...['listen_addr = 127.0.0.1', `listen_port = ${listenPort}`, 'unix_socket_dir ='],
      ...['auth_type = trust', `auth_file = ${users}`, `pool_mode = ${mode}`],
      ...[`default_pool_size = ${poolSize}`, 'max_client_conn = 500', `logfile = ${join(folder, 'log')}`],
    ].join('\n'),
    { mode: 0o644 },
  );
  const [program, ...args] = [...runAs.prefix, INSTALLED!, '-q', settings];
  const pooler = spawn(program, args, { cwd: '/', stdio: 'ignore' });
  const ended = new Promise<void>((resolve) => pooler.once('exit', () => resolve()));
  const url = `postgresql://${username}${password && `:${password}`}@127.0.0.1:${listenPort}${pathname}`;
  const stop = async () => {
    pooler.kill('SIGKILL');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await waitFor(() => answers(url), 'started');
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, stop };
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client(url);
  client.on('error', () => undefined);
  return client.connect().then(
    () => client.end().then(() => true),
    () => false,
  );
}
