import { type AppSecrets, loadAppSecrets } from './app-secret.js';
import type { Config } from './config.js';
import type { DatabaseAddress } from './database/address.js';
import { startEmbeddedPostgres } from './database/embedded/embedded-postgres.js';
import { migrate } from './database/migrate.js';
import { StartupError } from './startup-error.js';

export interface Started {
  database: DatabaseAddress;
  secrets: AppSecrets;
  /** Stops the embedded PostgreSQL when this process started it and nobody else is using it. */
  stop(): Promise<void>;
}

/** Everything before the application: the root secret, a database that answers, its migrations. */
export async function startSurroundings(config: Config): Promise<Started> {
  const secrets = await loadAppSecrets(config);
  const { database, stop } = config.databaseUrl
    ? { database: { clientUrl: config.databaseUrl }, stop: () => Promise.resolve() }
    : await startEmbedded(config.dataDir);
  try {
    await migrate(database, config.database);
  } catch (error) {
    await stop();
    throw unreachable(error);
  }
  return { database, secrets, stop };
}

async function startEmbedded(dataDir: string): Promise<{ database: DatabaseAddress; stop: () => Promise<void> }> {
  const server = await startEmbeddedPostgres({ dataDir, durable: true });
  const { host, port, user, dbName } = server;
  return { database: { host, port, user, dbName }, stop: () => server.stop() };
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
