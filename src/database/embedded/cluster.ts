import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { StartupError } from '../../config/startup-error.js';
import type { Installation } from './installation.js';
import { notWritable, type RunAs } from './run-as.js';

export const SUPERUSER = 'tidemark';

const LOCALE = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '-E', 'UTF8'];

/** A stopped initdb may have a child that writes a moment longer. */
const RM_RETRIES = 10;

/**
 * Makes the cluster where there is none. It is built beside and moved into place whole, so that neither an error nor a
 * stop leaves half of one.
 */
export async function ensureCluster(installation: Installation, signal: AbortSignal): Promise<void> {
  const { dataDir, cluster, runAs } = installation;
  if (await exists(join(cluster, 'PG_VERSION'))) return;
  const building = join(dataDir, `postgres.new-${randomUUID()}`);
  try {
    await mkdir(building, { mode: 0o700 });
    await runAs.own(building);
  } catch (error) {
    throw notWritable(dataDir, error as NodeJS.ErrnoException);
  }
  try {
    await initialize(building, installation, signal);
    await rename(building, cluster);
  } catch (error) {
    await rm(building, { recursive: true, force: true, maxRetries: RM_RETRIES });
    signal.throwIfAborted();
    // Another process may have been first.
    if (await exists(join(cluster, 'PG_VERSION'))) return;
    throw error instanceof StartupError ? error : notWritable(dataDir, error as NodeJS.ErrnoException);
  }
}

function initialize(folder: string, { binaries, runAs, durable }: Installation, signal: AbortSignal): Promise<void> {
  const args = ['-D', folder, '-U', SUPERUSER, '-A', 'trust', ...LOCALE, ...(durable ? [] : ['--no-sync'])];
  return runToEnd([...runAs.prefix, binaries.initdb, ...args], runAs, signal);
}

/** In a process group of its own, so that a signal to our group is ours to handle. */
function runToEnd([program, ...args]: string[], { options }: RunAs, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program!, args, { ...options, cwd: '/', detached: true, stdio: ['ignore', 'ignore', 'pipe'] });
    const kill = () => child.kill('SIGTERM');
    signal.addEventListener('abort', kill, { once: true });
    if (signal.aborted) kill();
    let complaints = '';
    child.stderr?.on('data', (chunk) => (complaints += String(chunk)));
    child.on('error', reject);
    child.on('close', (code) => {
      signal.removeEventListener('abort', kill);
      if (code === 0) resolve();
      else reject(new StartupError(`The embedded PostgreSQL cannot be set up: ${causeIn(complaints)}`));
    });
  });
}

/** What failed comes before what initdb then cleans up. */
function causeIn(complaints: string): string | undefined {
  const lines = complaints.trim().split('\n');
  return lines.find((line) => /error:|FATAL:|No space left/.test(line)) ?? lines.at(-1);
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
