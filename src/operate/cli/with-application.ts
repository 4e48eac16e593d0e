import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule } from '../../app.module.js';
import { MODULES } from '../../modules.js';
import type { Config } from '../../platform/config/config.js';
import { type Lifecycle, whenAborted } from '../../platform/lifecycle.js';
import { appLogger } from '../../platform/logging/logger.js';
import type { ProviderDescriptor } from '../../providers/provider-descriptor.js';
import { startDependencies } from '../bootstrap/startup.js';
import { readCliConfigInUse, refuseWrongClock } from './with-database.js';

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
  const config: Config<ProviderDescriptor> = {
    ...(await readCliConfigInUse(MODULES)),
    role: needsWorker ? 'worker' : 'api',
  };
  const { database, secrets } = await startDependencies(config, lifecycle, {
    use: 'command',
    modules: MODULES,
    check: (address) => refuseWrongClock(config, address),
  });
  const app = await NestFactory.createApplicationContext(AppModule.forRoot({ config, database, secrets }), {
    logger: appLogger(config, config.logLevel === 'info' ? 'warn' : config.logLevel),
    abortOnError: false,
  });
  lifecycle.onStop((forced) => Promise.race([app.close(), whenAborted(forced)]));
  return lifecycle.unlessStopping(run(app));
}
