import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule } from '../app.module.js';
import type { ProviderDescriptor } from '../bank-provider/provider-descriptor.js';
import { type Config, readConfig } from '../config/config.js';
import { type Lifecycle, whenAborted } from '../bootstrap/lifecycle.js';
import { appLogger } from '../observability/logging/app-logger.js';
import { PROVIDERS } from '../providers.js';
import { startSurroundings } from '../bootstrap/startup.js';
import type { Command } from './commands.js';

/** Beside a running service this uses its database and leaves it running. */
export async function withApplication<T>(
  command: Command,
  run: (app: INestApplicationContext) => Promise<T>,
  lifecycle: Lifecycle,
): Promise<T> {
  const config: Config<ProviderDescriptor> = {
    ...readConfig(PROVIDERS),
    role: command.needsWorker ? 'worker' : 'api',
    syncCron: null,
  };
  const { database, secrets } = await startSurroundings(config, lifecycle);
  const app = await NestFactory.createApplicationContext(AppModule.of({ config, database, secrets }), {
    logger: appLogger(config, config.logLevel === 'info' ? 'warn' : config.logLevel),
    abortOnError: false,
  });
  lifecycle.onStop((haste) => Promise.race([app.close(), whenAborted(haste)]));
  return lifecycle.unlessStopping(run(app));
}
