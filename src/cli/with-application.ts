import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule, type AppDependencies } from '../app.module.js';
import type { ProviderDescriptor } from '../bank-provider/provider-descriptor.js';
import { type Config, readConfig } from '../config/config.js';
import { type Lifecycle, whenAborted } from '../bootstrap/lifecycle.js';
import { appLogger } from '../observability/logging/app-logger.js';
import { PROVIDERS } from '../providers.js';
import { startDependencies } from '../bootstrap/startup.js';

/** The environment for a command: nothing runs on a schedule beside it. */
export function readCliConfig(): Config<ProviderDescriptor> {
  return { ...readConfig(PROVIDERS), role: 'api', syncCron: null, backupCron: null };
}

/** The environment as the service would read it. */
export function readServiceConfig(): Config<ProviderDescriptor> {
  return readConfig(PROVIDERS);
}

/**
 * Beside a running service this uses its database and leaves it running.
 *
 * @param needsWorker whether this process does the jobs it enqueues
 */
export async function withApplication<T>(
  needsWorker: boolean,
  run: (app: INestApplicationContext) => Promise<T>,
  lifecycle: Lifecycle,
): Promise<T> {
  const config: Config<ProviderDescriptor> = { ...readCliConfig(), role: needsWorker ? 'worker' : 'api' };
  const { database, secrets } = await startDependencies(config, lifecycle);
  const app = await createApplication({ config, database, secrets });
  lifecycle.onStop((haste) => Promise.race([app.close(), whenAborted(haste)]));
  return lifecycle.unlessStopping(run(app));
}

/** The application without a server; whoever makes it closes it. */
export function createApplication(dependencies: AppDependencies): Promise<INestApplicationContext> {
  const { config } = dependencies;
  return NestFactory.createApplicationContext(AppModule.forRoot(dependencies), {
    logger: appLogger(config, config.logLevel === 'info' ? 'warn' : config.logLevel),
    abortOnError: false,
  });
}
