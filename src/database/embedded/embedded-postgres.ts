import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { findBinaries } from './binaries.js';
import { ensureCluster, SUPERUSER } from './cluster.js';
import { takeOwnership } from './owner.js';
import { type PostmasterPid, readPostmasterPid } from './postmaster-pid.js';
import { assertWritable, chooseRunAs, notWritable } from './run-as.js';
import { PORT, startServer, waitUntilReady } from './server.js';

export const DATABASE = 'tidemark';

/** The longest path a Unix socket may have is 107 bytes; its name takes the rest. */
const MAX_SOCKET_DIR_BYTES = 90;
const STOP_TIMEOUT_MS = 20_000;
const POLL_MS = 20;
const RACES = 3;

export interface EmbeddedPostgres {
  /** Folder of the Unix socket. */
  host: string;
  port: number;
  user: string;
  dbName: string;
  /** Whether this process started it; otherwise it was running already. */
  startedHere: boolean;
  /** Stops the server if this process is its owner and no other client is connected. */
  stop: () => Promise<void>;
}

/**
 * The embedded PostgreSQL of a data directory: the one that runs there already (beside a running service, or left by a
 * killed one), else a new one.
 *
 * @param options.durable `false` only for data that is thrown away
 * @throws StartupError with a sentence that says what to do
 */
export async function startEmbeddedPostgres(options: { dataDir: string; durable: boolean }): Promise<EmbeddedPostgres> {
  const { dataDir, durable } = options;
  const binaries = await findBinaries();
  await mkdir(dataDir, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    throw notWritable(dataDir, error);
  });
  await assertWritable(dataDir);
  const cluster = join(dataDir, 'postgres');
  const socketDir = socketDirOf(dataDir);
  const runAs = await chooseRunAs([cluster, binaries.postgres, join(socketDir, 'socket')]);
  for (let attempt = 1; ; attempt++) {
    const running = await readPostmasterPid(cluster);
    if (running) return use(await waitUntilReady(cluster, join(socketDir, 'log')), dataDir, false);
    try {
      await ensureCluster(dataDir, binaries, runAs, durable);
      return await use(await startServer(cluster, socketDir, binaries, runAs, durable), dataDir, true);
    } catch (error) {
      // Two processes that start together: one server comes up, and the other process finds it at the next look.
      if (attempt === RACES || !(await readPostmasterPid(cluster))) throw error;
    }
  }
}

function socketDirOf(dataDir: string): string {
  const beside = join(dataDir, 'socket');
  if (Buffer.byteLength(beside) <= MAX_SOCKET_DIR_BYTES) return beside;
  return join(tmpdir(), `tidemark-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`);
}

async function use(server: PostmasterPid, dataDir: string, startedHere: boolean): Promise<EmbeddedPostgres> {
  const address = { host: server.socketDir, port: PORT, user: SUPERUSER };
  const isOwner = await takeOwnership(dataDir, startedHere);
  await ensureDatabase(address);
  return {
    ...address,
    dbName: DATABASE,
    startedHere,
    stop: async () => {
      if (isOwner && !(await othersAreConnected(address))) await stopServer(server.pid, join(dataDir, 'postgres'));
    },
  };
}

async function ensureDatabase(address: pg.ClientConfig): Promise<void> {
  await withClient(address, async (client) => {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [DATABASE]);
    if (rowCount) return;
    await client.query(`create database ${DATABASE}`).catch((error: { code?: string }) => {
      const madeByAnother = error.code === '42P04' || error.code === '23505';
      if (!madeByAnother) throw error as Error;
    });
  });
}

async function othersAreConnected(address: pg.ClientConfig): Promise<boolean> {
  return withClient(address, async (client) => {
    const { rowCount } = await client.query(
      `select 1 from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid() limit 1`,
    );
    return Boolean(rowCount);
  });
}

async function withClient<T>(address: pg.ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ ...address, database: 'postgres' });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** A fast shutdown: transactions under way are rolled back, what was committed is on disk. */
async function stopServer(pid: number, cluster: string): Promise<void> {
  process.kill(pid, 'SIGINT');
  const deadline = performance.now() + STOP_TIMEOUT_MS;
  while ((await readPostmasterPid(cluster)) && performance.now() < deadline) await wait(POLL_MS);
}
