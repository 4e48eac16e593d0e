import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { copyPreparedCluster } from '../../support/prepared-cluster.js';
import type { DrillContext } from './context.js';
import { isAlive, processesNaming } from './processes.js';
import type { DrillService } from './service.js';

/** An instance with the embedded PostgreSQL in a data directory of its own. */
export async function startEmbedded(
  context: DrillContext,
  name = 'embedded',
): Promise<{ service: DrillService; dataDir: string }> {
  const dataDir = join(context.folder.path, name);
  await copyPreparedCluster(dataDir);
  const service = await context.startServiceWith(embeddedSettings(dataDir));
  return { service, dataDir };
}

export function embeddedSettings(dataDir: string): NodeJS.ProcessEnv {
  return { DATA_DIR: dataDir, DATABASE_URL: '', APP_SECRET: '' };
}

/** The process id of a data directory's server; null when none is alive. */
export async function embeddedServerOf(dataDir: string): Promise<number | null> {
  const text = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').catch(() => '');
  const pid = Number(text.split('\n')[0]);
  const isServer = pid > 0 && isAlive(pid) && processesNaming(dataDir).includes(pid);
  return isServer ? pid : null;
}

/** What the embedded server wrote since its last start. */
export function embeddedLog(dataDir: string): Promise<string> {
  return readFile(join(dataDir, 'socket', 'log'), 'utf8').catch(() => '');
}
