import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { StartupError } from '../../startup-error.js';
import type { Binaries } from './binaries.js';
import { notWritable, type RunAs } from './run-as.js';

export const SUPERUSER = 'tidemark';

const LOCALE = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '-E', 'UTF8'];

/** Makes the cluster where there is none. It is built beside and moved into place whole, so half of one never stays. */
export async function ensureCluster(
  dataDir: string,
  { initdb }: Binaries,
  runAs: RunAs,
  durable: boolean,
): Promise<string> {
  const cluster = join(dataDir, 'postgres');
  if (await exists(join(cluster, 'PG_VERSION'))) return cluster;
  const building = join(dataDir, `postgres.new-${randomUUID()}`);
  try {
    await rm(building, { recursive: true, force: true });
    await mkdir(building, { mode: 0o700 });
    await runAs.own(building);
  } catch (error) {
    throw notWritable(dataDir, error as NodeJS.ErrnoException);
  }
  const args = ['-D', building, '-U', SUPERUSER, '-A', 'trust', ...LOCALE, ...(durable ? [] : ['--no-sync'])];
  await runToEnd([...runAs.prefix, initdb, ...args], runAs);
  await rename(building, cluster).catch(async (error: NodeJS.ErrnoException) => {
    // Another process was first.
    await rm(building, { recursive: true, force: true });
    if (!(await exists(join(cluster, 'PG_VERSION')))) throw notWritable(dataDir, error);
  });
  return cluster;
}

function runToEnd([program, ...args]: string[], { options }: RunAs): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program!, args, { ...options, cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] });
    let complaints = '';
    child.stderr?.on('data', (chunk) => (complaints += String(chunk)));
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve();
      else
        reject(new StartupError(`The embedded PostgreSQL cannot be set up: ${complaints.trim().split('\n').at(-1)}`));
    });
  });
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
