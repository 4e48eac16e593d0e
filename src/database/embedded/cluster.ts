import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { cannotUse, StartupError } from '../../config/startup-error.js';
import type { Installation } from './installation.js';
import { cannotRun, type RunAs } from './run-as.js';

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
  if (!(await isCluster(installation.cluster))) await makeCluster(installation, signal);
  await removeUnfinished(installation.dataDir);
}

async function makeCluster(installation: Installation, signal: AbortSignal): Promise<void> {
  const { dataDir, cluster, runAs } = installation;
  const building = join(dataDir, `${UNFINISHED}${randomUUID()}`);
  try {
    await mkdir(building, { mode: 0o700 });
    await runAs.own(building);
  } catch (error) {
    throw cannotUse(dataDir, error as NodeJS.ErrnoException);
  }
  try {
    await initialize(building, installation, signal);
    await rename(building, cluster);
  } catch (error) {
    await removeFolder(building);
    signal.throwIfAborted();
    // Another process may have been first.
    if (await isCluster(cluster)) return;
    throw error instanceof StartupError ? error : cannotUse(dataDir, error as NodeJS.ErrnoException);
  }
}

/**
 * What killed processes have left. Once there is a cluster, no other can take its place, so whoever still builds one has
 * lost the race already.
 */
async function removeUnfinished(dataDir: string): Promise<void> {
  const names = await readdir(dataDir);
  for (const name of names.filter((name) => name.startsWith(UNFINISHED))) {
    // The next start tries again.
    await removeFolder(join(dataDir, name)).catch(() => undefined);
  }
}

function removeFolder(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true, maxRetries: RM_RETRIES });
}

function initialize(folder: string, { binaries, runAs, durable }: Installation, signal: AbortSignal): Promise<void> {
  const args = ['-D', folder, '-U', SUPERUSER, '-A', 'trust', ...LOCALE, ...(durable ? [] : ['--no-sync'])];
  return runToEnd([...runAs.prefix, binaries.initdb, ...args], runAs, signal);
}

/** Runs in a process group of its own, so that only we handle signals to ours. */
function runToEnd([program, ...args]: string[], { options }: RunAs, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program!, args, { ...options, cwd: '/', detached: true, stdio: ['ignore', 'ignore', 'pipe'] });
    const kill = () => child.kill('SIGTERM');
    signal.addEventListener('abort', kill, { once: true });
    if (signal.aborted) kill();
    let errors = '';
    child.stderr?.on('data', (chunk) => (errors += String(chunk)));
    child.on('error', (error) => reject(cannotRun(program!, error)));
    child.on('close', (code) => {
      signal.removeEventListener('abort', kill);
      if (code === 0) resolve();
      else reject(new StartupError(`The embedded PostgreSQL cannot be set up: ${causeIn(errors)}`));
    });
  });
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
