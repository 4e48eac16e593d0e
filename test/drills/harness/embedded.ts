import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { copyPreparedCluster } from '../../support/prepared-cluster.js';
import type { DrillContext } from './context.js';
import { isAlive, processesNaming } from './processes.js';
import type { DrillService } from './service.js';

/** An instance with the embedded PostgreSQL in a data directory of its own. */
export async function startEmbedded(context: DrillContext): Promise<{ service: DrillService; dataDir: string }> {
  const dataDir = join(context.folder.path, 'embedded');
  await copyPreparedCluster(dataDir);
  const service = await context.startServiceWith({ DATA_DIR: dataDir, DATABASE_URL: '', APP_SECRET: '' });
  return { service, dataDir };
}

/** The process id of a data directory's server; null when none is alive. */
export async function embeddedServerOf(dataDir: string): Promise<number | null> {
  const text = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').catch(() => '');
  const pid = Number(text.split('\n')[0]);
  const isServer = pid > 0 && isAlive(pid) && processesNaming(dataDir).includes(pid);
  return isServer ? pid : null;
}
