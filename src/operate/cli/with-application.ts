import { join } from 'node:path';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule } from '../../app.module.js';
import type { ProviderDescriptor } from '../../providers/provider-descriptor.js';
import { type Config, readConfig } from '../../platform/config/config.js';
import type { DatabaseAddress } from '../../database/address.js';
import { asStartupError } from '../../database/as-startup-error.js';
import { clockProblem, measureClock, NOTHING_WRITTEN, readDatabaseTime } from '../../database/clock-check.service.js';
import { isCluster } from '../../database/embedded/cluster.js';
import { type Lifecycle, whenAborted } from '../../platform/lifecycle.js';
import { appLogger } from '../../platform/logging/logger.js';
import { MODULES } from '../../modules.js';
import { PROVIDERS } from '../../providers/installed.js';
import { nameDatabase, openDatabase, startDependencies } from '../bootstrap/startup.js';
import { withPlainSession } from '../../database/plain-session.js';
import { SystemClock } from '../../platform/time/clock.js';
import { RefusedError } from '../../platform/command.js';

/** The environment for a command, without schedules. */
export function readCliConfig(): Config<ProviderDescriptor> {
  return { ...readConfig(PROVIDERS, MODULES), role: 'api', syncCron: null, backupCron: null };
}

/**
 * The same for a command about what is stored: with the variables of the service missing, it would work on a new
 * database, and seem to succeed.
 *
 * @throws RefusedError where there is no database yet
 */
export async function readCliConfigInUse(): Promise<Config<ProviderDescriptor>> {
  const config = readCliConfig();
  const { databaseUrl, dataDir } = config;
  if (databaseUrl || (await isCluster(join(dataDir, 'postgres')))) return config;
  throw new RefusedError(
    `There is no database in ${dataDir}: set DATA_DIR to the folder that the service has, or DATABASE_URL to its ` +
      'server. A new install has one once the service has started.',
  );
}

/**
 * Runs a command in an application of its own, also while the service runs.
 *
 * @param needsWorker whether this process runs the jobs that it enqueues
 */
export async function withApplication<T>(
  needsWorker: boolean,
  run: (app: INestApplicationContext) => Promise<T>,
  lifecycle: Lifecycle,
): Promise<T> {
  const config: Config<ProviderDescriptor> = { ...(await readCliConfigInUse()), role: needsWorker ? 'worker' : 'api' };
  const { database, secrets } = await startDependencies(config, lifecycle, 'command', (address) =>
    refuseWrongClock(config, address),
  );
  const app = await NestFactory.createApplicationContext(AppModule.forRoot({ config, database, secrets }), {
    logger: appLogger(config, config.logLevel === 'info' ? 'warn' : config.logLevel),
    abortOnError: false,
  });
  lifecycle.onStop((forced) => Promise.race([app.close(), whenAborted(forced)]));
  return lifecycle.unlessStopping(run(app));
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
async function refuseWrongClock({ clockCheck, database }: Config, address: DatabaseAddress): Promise<void> {
  if (!clockCheck) return;
  const aheadMs = await withPlainSession(address, database, (session) =>
    measureClock(new SystemClock(), () => readDatabaseTime(session)),
  );
  const problem = aheadMs === null ? null : clockProblem(aheadMs);
  if (problem) throw new RefusedError(`${problem} ${NOTHING_WRITTEN}`);
}
