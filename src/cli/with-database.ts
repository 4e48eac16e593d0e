import type { Config } from '../config/config.js';
import type { DatabaseAddress } from '../database/address.js';
import { asStartupError } from '../database/as-startup-error.js';
import type { Lifecycle } from '../bootstrap/lifecycle.js';
import { nameDatabase, openDatabase } from '../bootstrap/startup.js';

/** Runs `work` on the database without the application and its migrations. */
export async function withDatabase<T>(
  config: Config,
  lifecycle: Lifecycle,
  work: (database: DatabaseAddress) => Promise<T>,
): Promise<T> {
  try {
    return await work(await openDatabase(config, lifecycle));
  } catch (error) {
    throw asStartupError(error, nameDatabase(config));
  }
}
