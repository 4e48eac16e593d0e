import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { appLogger } from '../app-logger.js';
import { AppModule } from '../app.module.js';
import { type Config, readConfig } from '../config.js';
import { PROVIDERS } from '../providers.js';
import { startSurroundings } from '../startup.js';
import type { Command } from './commands.js';

/** Beside a running service this uses its database and leaves it running. */
export async function withApplication<T>(
  command: Command,
  run: (app: INestApplicationContext) => Promise<T>,
): Promise<T> {
  const config: Config = { ...readConfig(PROVIDERS), role: command.needsWorker ? 'worker' : 'api', syncCron: null };
  const started = await startSurroundings(config);
  try {
    const app = await NestFactory.createApplicationContext(AppModule.of({ config, ...started }), {
      logger: appLogger(config, config.logLevel === 'info' ? 'warn' : config.logLevel),
      abortOnError: false,
    });
    try {
      return await run(app);
    } finally {
      await app.close();
    }
  } finally {
    await started.stop();
  }
}
