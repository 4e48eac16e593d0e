import type { Config } from './config.js';
import { RAW_LOG } from './global-provider/raw-log.js';
import { AppLogger } from './logging/logger.js';

/** The log as the environment wants it. */
export function appLogger(config: Config, level = config.logLevel): AppLogger {
  return new AppLogger(level, { opened: config.globalProviderDebugRaw ? [RAW_LOG] : [] });
}
