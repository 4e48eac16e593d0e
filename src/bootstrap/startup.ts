import { type AppSecrets, loadAppSecrets } from '../config/app-secret.js';
import type { ProviderDescriptor } from '../bank-provider/provider-descriptor.js';
import type { Config } from '../config/config.js';
import type { DatabaseAddress } from '../database/address.js';
import { startEmbeddedPostgres } from '../database/embedded/embedded-postgres.js';
import { migrate } from '../database/migrate.js';
import type { Lifecycle } from './lifecycle.js';
import { StartupError } from '../config/startup-error.js';

export interface Started {
  database: DatabaseAddress;
  secrets: AppSecrets;
}

/** Everything before the application: the root secret, a database that answers, its migrations. */
export async function startSurroundings(config: Config<ProviderDescriptor>, lifecycle: Lifecycle): Promise<Started> {
  const secrets = await loadAppSecrets(config);
  const database = await openDatabase(config, lifecycle);
  try {
    await migrate(database, config.database, lifecycle.stopping);
  } catch (error) {
    throw unreachable(error);
  }
  lifecycle.stopping.throwIfAborted();
  return { database, secrets };
}

/** The server of DATABASE_URL, or the embedded one, which runs from now on. */
export async function openDatabase({ databaseUrl, dataDir }: Config, lifecycle: Lifecycle): Promise<DatabaseAddress> {
  return databaseUrl ? { clientUrl: databaseUrl } : startEmbedded(dataDir, lifecycle);
}

async function startEmbedded(dataDir: string, lifecycle: Lifecycle): Promise<DatabaseAddress> {
  const { host, port, user, dbName, stop } = await startEmbeddedPostgres({
    dataDir,
    durable: true,
    signal: lifecycle.stopping,
    onGivenUp: (error) => lifecycle.fail(error),
  });
  lifecycle.onStop(stop);
  return { host, port, user, dbName };
}

/** A server that cannot be reached or refuses us is for a person to mend; anything else is a bug and keeps its stack. */
function unreachable(error: unknown): unknown {
  const codes = new Set([
    'ECONNREFUSED',
    'ENOTFOUND',
    'ETIMEDOUT',
    'EHOSTUNREACH',
    'ENOENT',
    '28P01',
    '28000',
    '3D000',
  ]);
  for (let cause = error, depth = 0; cause instanceof Error && depth < 6; cause = cause.cause, depth++) {
    const code = String((cause as { code?: unknown }).code);
    if (codes.has(code)) {
      return new StartupError(
        `The database in DATABASE_URL cannot be used (${code}): check that the server runs, and that host, port, user, password and database name are right.`,
      );
    }
  }
  return error;
}
