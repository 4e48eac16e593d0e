import type { Config } from './config.js';
import { AppLogger } from './logging/logger.js';

/** The log as the environment wants it. */
export function appLogger(config: Config, level = config.logLevel): AppLogger {
  const opened = config.providers.flatMap(({ descriptor, settings }) => descriptor.openLogContexts?.(settings) ?? []);
  return new AppLogger(level, { opened });
}
