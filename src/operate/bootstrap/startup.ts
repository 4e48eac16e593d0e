import type pg from 'pg';
import { type AppSecrets, loadAppSecrets } from '../../platform/config/app-secret.js';
import type { ProviderDescriptor } from '../../providers/provider-descriptor.js';
import type { Config } from '../../platform/config/config.js';
import type { DatabaseAddress } from '../../database/address.js';
import { startEmbeddedPostgres } from '../../database/embedded/embedded-postgres.js';
import { asStartupError } from '../../database/as-startup-error.js';
import { refuseSharedSessions } from '../../database/check-server.js';
import { migrate } from '../../database/migrate.js';
import { withPlainSession } from '../../database/plain-session.js';
import { appLogger } from '../../platform/logging/logger.js';
import type { Lifecycle } from '../../platform/lifecycle.js';
import type { TidemarkModule } from '../../platform/module.js';
import { StartupError } from '../../platform/config/startup-error.js';
import { CredentialVault } from '../../platform/vault/credential-vault.js';
import { WHAT_IS_FORGOTTEN } from '../../platform/vault/forget-lost.js';
import {
  countLost,
  countSealedWith,
  resealCredentials,
  type SealedWith,
} from '../../sync/connections/credentials/reseal-credentials.js';

export interface Started {
  database: DatabaseAddress;
  secrets: AppSecrets;
  /** How many credentials were resealed with a newer secret. */
  resealed: number;
}

/** The service owns the embedded PostgreSQL; a command beside it uses the same server. */
type Use = 'service' | 'command';

interface StartOptions {
  use: Use;
  /** Beside the core, of this installation. */
  modules: readonly TidemarkModule[];
  /** Called before anything is written. */
  check?: (database: DatabaseAddress) => Promise<void>;
}

/** Prepares what the application needs: root secret, database, migrations, resealed credentials. */
export async function startDependencies(
  config: Config<ProviderDescriptor>,
  lifecycle: Lifecycle,
  { use, modules, check = () => Promise.resolve() }: StartOptions,
): Promise<Started> {
  // First: where there is no server, its sentence says what to set, and one about the folder of the secret would mislead.
  const database = await openDatabase(config, lifecycle, use);
  const secrets = await loadAppSecrets(config);
  const resealed = await check(database)
    .then(() => prepareDatabase(config, { database, secrets, modules }, lifecycle.stopping))
    .catch((error: unknown) => {
      throw asStartupError(error, nameDatabase(config));
    });
  lifecycle.stopping.throwIfAborted();
  return { database, secrets, resealed };
}

/** @returns how many credentials were resealed */
async function prepareDatabase(
  config: Config<ProviderDescriptor>,
  { database: address, secrets, modules }: Pick<Started, 'database' | 'secrets'> & Pick<StartOptions, 'modules'>,
  stopping: AbortSignal,
): Promise<number> {
  const { database: settings } = config;
  await refuseSharedSessions(address, settings);
  await migrate(address, settings, {
    signal: stopping,
    modules,
    onWait: (sentence) => appLogger(config).warn(sentence, 'Migrations'),
  });
  stopping.throwIfAborted();
  return withPlainSession(address, settings, (session) => prepareCredentials(session, secrets));
}

/** The database in a sentence. */
export function nameDatabase({ databaseUrl }: Pick<Config, 'databaseUrl'>): string {
  return databaseUrl ? 'The database in DATABASE_URL' : 'The embedded PostgreSQL';
}

/** The server of DATABASE_URL, or the embedded one, which is started. */
export async function openDatabase(config: Config, lifecycle: Lifecycle, use: Use): Promise<DatabaseAddress> {
  const { databaseUrl, databaseDirectUrl, dataDir } = config;
  if (!databaseUrl) return startEmbedded(dataDir, lifecycle, use);
  return {
    clientUrl: databaseUrl,
    ...(databaseDirectUrl && { directUrl: databaseDirectUrl }),
  };
}

async function startEmbedded(dataDir: string, lifecycle: Lifecycle, use: Use): Promise<DatabaseAddress> {
  const { host, port, user, dbName, stop } = await startEmbeddedPostgres({
    dataDir,
    durable: true,
    mayJoin: use === 'command',
    signal: lifecycle.stopping,
    onDied: (error) => lifecycle.fail(error),
  });
  lifecycle.onStop(stop);
  return { host, port, user, dbName };
}

/**
 * Reseals the stored credentials with the newest secret of APP_SECRET.
 *
 * @returns how many
 * @throws StartupError when no secret unseals some of the credentials, because their syncs would fail
 */
export async function prepareCredentials(session: pg.ClientBase, secrets: AppSecrets): Promise<number> {
  const vault = new CredentialVault(secrets);
  const sealedWith = await requireFit(session, vault);
  const isAllNewest = Object.keys(sealedWith).every((keyId) => keyId === vault.keyIds[0]);
  return isAllNewest ? 0 : (await resealCredentials(session, vault)).sealed;
}

/** @throws StartupError when the vault unseals not all of the stored credentials */
export async function requireFit(session: pg.ClientBase, vault: CredentialVault): Promise<SealedWith> {
  const sealedWith = await countSealedWith(session);
  const lost = countLost(sealedWith, vault);
  if (lost > 0) throw new StartupError(secretsDoNotFit(lost));
  return sealedWith;
}

function secretsDoNotFit(lost: number): string {
  return (
    `The APP_SECRET does not fit this database: ${lost} stored credentials were sealed with another one; ` +
    'set APP_SECRET to it, or to a list "new,old" with it, or, if it is lost, run `secrets:rotate --forget-lost`: ' +
    `${WHAT_IS_FORGOTTEN}.`
  );
}
