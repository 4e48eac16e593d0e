import { join } from 'node:path';
import type { DatabaseAddress } from '../../database/address.js';
import { asStartupError } from '../../database/as-startup-error.js';
import { clockProblem, measureClock, NOTHING_WRITTEN, readDatabaseTime } from '../../database/clock-check.service.js';
import { isCluster } from '../../database/embedded/cluster.js';
import { withPlainSession } from '../../database/plain-session.js';
import { RefusedError } from '../../platform/command.js';
import { type Config, readConfig } from '../../platform/config/config.js';
import type { Lifecycle } from '../../platform/lifecycle.js';
import type { TidemarkModule } from '../../platform/module.js';
import { SystemClock } from '../../platform/time/clock.js';
import { PROVIDERS } from '../../providers/installed.js';
import type { ProviderDescriptor } from '../../providers/provider-descriptor.js';
import { nameDatabase, openDatabase } from '../bootstrap/startup.js';

/** The environment for a command, without schedules. */
export function readCliConfig(modules: readonly TidemarkModule[]): Config<ProviderDescriptor> {
  return { ...readConfig(PROVIDERS, modules), role: 'api', hasSchedule: false };
}

/**
 * The same for a command about what is stored: with the variables of the service missing, it would work on a new
 * database, and seem to succeed.
 *
 * @throws RefusedError where there is no database yet
 */
export async function readCliConfigInUse(modules: readonly TidemarkModule[]): Promise<Config<ProviderDescriptor>> {
  const config = readCliConfig(modules);
  if (await hasDatabase(config)) return config;
  throw new RefusedError(`There is no database in ${config.dataDir}: ${whereToLook(config)}`);
}

/** Whether there is a database to work on: a server is named, or the service has made one in its folder. */
export async function hasDatabase({ databaseUrl, dataDir }: Config): Promise<boolean> {
  return databaseUrl !== null || (await isCluster(join(dataDir, 'postgres')));
}

/** What to do where there is none. */
export function whereToLook({ dataDir }: Config): string {
  return (
    `set DATA_DIR to the folder that the service has (the demo's is ${join(dataDir, 'demo')}), or DATABASE_URL to its ` +
    'server. A new install has one once the service has started.'
  );
}

/** Runs `work` on the database without the application and its migrations. */
export async function withDatabase<T>(
  access: 'reads' | 'writes',
  config: Config,
  lifecycle: Lifecycle,
  work: (database: DatabaseAddress) => Promise<T>,
): Promise<T> {
  try {
    const database = await openDatabase(config, lifecycle, 'command');
    if (access === 'writes') await refuseWrongClock(config, database);
    return await work(database);
  } catch (error) {
    throw asStartupError(error, nameDatabase(config));
  }
}

/** @throws RefusedError when the clock of this machine is wrong */
export async function refuseWrongClock({ clockCheck, database }: Config, address: DatabaseAddress): Promise<void> {
  if (!clockCheck) return;
  const aheadMs = await withPlainSession(address, database, (session) =>
    measureClock(new SystemClock(), () => readDatabaseTime(session)),
  );
  const problem = aheadMs === null ? null : clockProblem(aheadMs);
  if (problem) throw new RefusedError(`${problem} ${NOTHING_WRITTEN}`);
}
