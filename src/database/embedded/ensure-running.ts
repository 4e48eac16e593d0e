import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { clientConfig } from '../address.js';
import { ensureCluster, SUPERUSER } from './cluster.js';
import type { Installation } from './installation.js';
import { Lease } from './lease.js';
import { lockHolder, readPostmasterPid } from './postmaster-pid.js';
import { adoptServer, PORT, READY_TIMEOUT_MS, startServer } from './server.js';
import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

export const DATABASE = 'tidemark';

const MAX_ATTEMPTS = 5;
const RETRY_MS = 100;
/** PostgreSQL's code while it starts, recovers or stops. */
const CANNOT_CONNECT_NOW = '57P03';

/** A lease on the running server. */
interface LeasedServer {
  lease: Lease;
  server: { host: string; port: number; user: string };
  /** Whether this process started it. */
  startedHere: boolean;
}

/**
 * Joins a running server, or starts one. Processes that start or stop it at the same moment disturb each other, so a
 * failure in such a race is retried.
 */
export async function ensureRunning(installation: Installation, signal: AbortSignal): Promise<LeasedServer> {
  for (let attempt = 1; ; attempt++) {
    signal.throwIfAborted();
    const found = await readPostmasterPid(installation.cluster);
    try {
      return await (found ? adopt(installation, signal) : start(installation, signal));
    } catch (error) {
      signal.throwIfAborted();
      const isRace = found !== null || (await readPostmasterPid(installation.cluster)) !== null;
      if (attempt === MAX_ATTEMPTS || !isRace) throw error;
      await wait(RETRY_MS);
    }
  }
}

async function adopt(installation: Installation, signal: AbortSignal): Promise<LeasedServer> {
  const { socketDir } = await adoptServer(installation, signal);
  return takeLease(socketDir, false, signal);
}

async function start(installation: Installation, signal: AbortSignal): Promise<LeasedServer> {
  await ensureCluster(installation, signal);
  await removeStaleLockFiles(installation.cluster, installation.socketDir);
  const { socketDir, startedHere } = await startServer(installation, signal);
  return takeLease(socketDir, startedHere, signal);
}

const addressOf = (host: string) => ({ host, port: PORT, user: SUPERUSER });

export function openLease(socketDir: string): Promise<Lease> {
  return Lease.open(clientConfig({ ...addressOf(socketDir), dbName: 'postgres' }));
}

async function takeLease(socketDir: string, startedHere: boolean, signal: AbortSignal): Promise<LeasedServer> {
  const lease = await openLeaseOnceReady(socketDir, signal);
  try {
    await ensureDatabase(lease.session);
  } catch (error) {
    await lease.end();
    throw error;
  }
  lease.unref();
  return { lease, server: addressOf(socketDir), startedHere };
}

/** A server that lost one of its processes replays its log, which may take minutes. Its file says `ready` meanwhile. */
async function openLeaseOnceReady(socketDir: string, signal: AbortSignal): Promise<Lease> {
  const deadline = performance.now() + READY_TIMEOUT_MS;
  for (;;) {
    try {
      return await openLease(socketDir);
    } catch (error) {
      const isRecovering = (error as { code?: string }).code === CANNOT_CONNECT_NOW;
      if (!isRecovering || performance.now() > deadline) throw error;
      await wait(RETRY_MS, undefined, { signal });
    }
  }
}

async function ensureDatabase(session: pg.Client): Promise<void> {
  const { rowCount } = await session.query('select 1 from pg_database where datname = $1', [DATABASE]);
  if (rowCount) return;
  await session.query(`create database ${DATABASE}`).catch((error: { code?: string }) => {
    const madeByAnother = error.code === '42P04' || error.code === '23505';
    if (!madeByAnother) throw error as Error;
  });
}

/**
 * Removes lock files of a dead server. PostgreSQL removes them itself, unless their process id belongs to another
 * program by now or to a zombie; then it would refuse to start.
 */
async function removeStaleLockFiles(clusterDir: string, socketDir: string): Promise<void> {
  for (const file of [join(clusterDir, 'postmaster.pid'), join(socketDir, `.s.PGSQL.${PORT}.lock`)]) {
    const text = await readFile(file, 'utf8').catch(() => null);
    if (text !== null && (await lockHolder(Number(text.split('\n')[0]), clusterDir)) === 'other') {
      await removeUnchanged(file, text);
    }
  }
}

/**
 * Removes the file unless a server has written a new one meanwhile. It is renamed first, because nobody else can write
 * the renamed file. If its text is new, it is put back.
 */
async function removeUnchanged(file: string, text: string): Promise<void> {
  const aside = `${file}.stale-${randomUUID()}`;
  try {
    await rename(file, aside);
    if ((await readFile(aside, 'utf8')) !== text) await link(aside, file);
    await rm(aside);
  } catch (error) {
    // Another process that starts at this moment was faster.
    if (!['ENOENT', 'EEXIST'].includes(String((error as NodeJS.ErrnoException).code))) throw error;
    await rm(aside, { force: true });
  }
}
