import { spawn } from 'node:child_process';
import { mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { cannotUse, StartupError } from '../../platform/config/startup-error.js';
import type { Installation } from './installation.js';

export const SUPERUSER = 'tidemark';

const LOCALE = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '-E', 'UTF8'];

/** Before a random part. */
const UNFINISHED = 'postgres.new-';
/** A child of a stopped initdb may still write for a moment. */
const RM_RETRIES = 10;

/**
 * Makes the cluster if there is none. It is built next to its place and then renamed, so an error leaves no half of
 * one.
 */
export async function ensureCluster(installation: Installation, signal: AbortSignal): Promise<void> {
  const { dataDir, cluster } = installation;
  if (!(await isCluster(cluster))) await makeCluster(installation, signal);
  // What killed starts have left.
  const names = await readdir(dataDir);
  for (const name of names.filter((name) => name.startsWith(UNFINISHED))) {
    await removeFolder(join(dataDir, name));
  }
}

async function makeCluster(installation: Installation, signal: AbortSignal): Promise<void> {
  const { dataDir, cluster, runAs } = installation;
  let building: string | undefined;
  try {
    building = await mkdtemp(join(dataDir, UNFINISHED));
    await runAs.own(building);
    await initialize(building, installation, signal);
    await rename(building, cluster);
  } catch (error) {
    if (building) await removeFolder(building);
    signal.throwIfAborted();
    // Another process was first.
    if (await isCluster(cluster)) return;
    throw error instanceof StartupError ? error : cannotUse(dataDir, error as NodeJS.ErrnoException);
  }
}

function removeFolder(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true, maxRetries: RM_RETRIES });
}

/** Runs initdb in a process group of its own, so that only we handle signals to ours. */
function initialize(folder: string, installation: Installation, signal: AbortSignal): Promise<void> {
  const { binaries, runAs, durable } = installation;
  const options = ['-D', folder, '-U', SUPERUSER, '-A', 'trust', ...LOCALE, ...(durable ? [] : ['--no-sync'])];
  const [program, ...args] = [...runAs.prefix, binaries.initdb, ...options];
  return new Promise((resolve, reject) => {
    const child = spawn(program!, args, { cwd: '/', detached: true, stdio: ['ignore', 'ignore', 'pipe'] });
    const kill = () => child.kill('SIGTERM');
    signal.addEventListener('abort', kill, { once: true });
    if (signal.aborted) kill();
    let errors = '';
    child.stderr.on('data', (chunk) => (errors += String(chunk)));
    child.on('error', (error) => reject(cannotRun(program!, error)));
    child.on('close', (code) => {
      signal.removeEventListener('abort', kill);
      if (code === 0) resolve();
      else reject(new StartupError(`The embedded PostgreSQL cannot be set up: ${causeIn(errors)}`));
    });
  });
}

/** A program that is missing, may not be executed, or was built for another system. */
export function cannotRun(program: string, { code }: NodeJS.ErrnoException): StartupError {
  return new StartupError(
    `The embedded PostgreSQL cannot run on this machine (${program}: ${code}): ` +
      'set DATABASE_URL to a PostgreSQL server, version 15 or newer.',
  );
}

/** initdb prints the error before its messages about cleaning up. */
function causeIn(errors: string): string | undefined {
  const lines = errors.trim().split('\n');
  return lines.find((line) => /error:|FATAL:|No space left/.test(line)) ?? lines.at(-1);
}

/** @throws StartupError when what is there is no cluster, or one that cannot be read: it may be all that somebody has */
export async function isCluster(folder: string): Promise<boolean> {
  const unlessMissing = ({ code }: NodeJS.ErrnoException) => {
    if (code === 'ENOENT') return null;
    throw new StartupError(`Cannot read ${folder} (${code}): it must belong to the user that runs Tidemark.`);
  };
  if (await stat(join(folder, 'PG_VERSION')).catch(unlessMissing)) return true;
  const files = await readdir(folder).catch(unlessMissing);
  if (!files?.length) return false;
  throw new StartupError(
    `${folder} has files, and no PostgreSQL database (PG_VERSION is missing): ` +
      'bring the missing files back, or restore a backup into another DATA_DIR.',
  );
}
