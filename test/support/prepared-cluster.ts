import { execFile } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ensureCluster } from '../../src/database/embedded/cluster.js';
import { findInstallation } from '../../src/database/embedded/installation.js';
import { throwawayFolder } from './throwaway-folder.js';

/** Names the folder of the run's cluster to its workers. */
const VARIABLE = 'TIDEMARK_TEST_CLUSTER';

/**
 * Runs initdb once for the whole run: each server of a test's own begins with a copy, which takes a fifth of it.
 *
 * @returns what removes it
 */
export async function prepareCluster(): Promise<() => Promise<void>> {
  const folder = await throwawayFolder('cluster');
  const installation = await findInstallation(folder, false);
  await ensureCluster(installation, new AbortController().signal);
  process.env[VARIABLE] = installation.cluster;
  return () => rm(folder, { recursive: true, force: true });
}

/** Gives a data directory the cluster that its first start would make. Outside of a run it stays without. */
export async function copyPreparedCluster(dataDir: string): Promise<void> {
  const prepared = process.env[VARIABLE];
  if (!prepared) return;
  await mkdir(dataDir, { recursive: true });
  // Unlike `cp` of Node.js, it keeps the owner and the mode that PostgreSQL insists on.
  await promisify(execFile)('cp', ['-a', prepared, join(dataDir, 'postgres')]);
}
