import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Binaries, findBinaries } from './binaries.js';
import { assertWritable, chooseRunAs, notWritable, type RunAs } from './run-as.js';

/** A socket's path has at most 107 bytes, including its name. */
const MAX_SOCKET_DIR_BYTES = 90;

/** Everything needed to start the server of a data directory. */
export interface Installation {
  dataDir: string;
  /** PostgreSQL's own data directory. */
  cluster: string;
  socketDir: string;
  logFile: string;
  binaries: Binaries;
  runAs: RunAs;
  /** `false` only for test data. */
  durable: boolean;
}

/** @throws StartupError with a sentence that says what to do */
export async function findInstallation(dataDir: string, durable: boolean): Promise<Installation> {
  const binaries = await findBinaries();
  await mkdir(dataDir, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    throw notWritable(dataDir, error);
  });
  await assertWritable(dataDir);
  const cluster = join(dataDir, 'postgres');
  const socketDir = socketDirOf(dataDir);
  const logFile = join(socketDir, 'log');
  const runAs = await chooseRunAs([cluster, binaries.postgres, join(socketDir, 'socket')]);
  return { dataDir, cluster, socketDir, logFile, binaries, runAs, durable };
}

function socketDirOf(dataDir: string): string {
  const beside = join(dataDir, 'socket');
  if (Buffer.byteLength(beside) <= MAX_SOCKET_DIR_BYTES) return beside;
  return join(tmpdir(), `tidemark-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`);
}
