import type { ProviderDescriptor } from '../../bank-provider/provider-descriptor.js';
import type { Config } from '../../config/config.js';
import { INSTANCE } from './instance.js';
import { AppLogger } from './logger.js';

/** The log as the environment wants it. */
export function appLogger(config: Config<ProviderDescriptor>, level = config.logLevel): AppLogger {
  const opened = config.providers.flatMap(({ descriptor, settings }) => descriptor.openLogContexts?.(settings) ?? []);
  return new AppLogger(level, { opened, instance: INSTANCE });
}
