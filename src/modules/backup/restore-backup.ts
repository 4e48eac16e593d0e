import type { IMigrator } from '@mikro-orm/core';
import type pg from 'pg';
import type { AppSecrets } from '../../platform/config/app-secret.js';
import { advanceRevisions } from '../../database/change-log/advance-revisions.js';
import type { TidemarkModule } from '../../platform/module.js';
import { underMigrationLock } from '../../database/migrate.js';
import { findForeign, readMigrations } from '../../database/schema-state.js';
import { CredentialVault } from '../../platform/vault/credential-vault.js';
import { countLost, resealCredentials } from '../../sync/connections/credentials/reseal-credentials.js';
import { type BackupFile, BackupRefusedError, type Manifest } from './backup-file.js';
import { inCopyTransaction } from './copy-session.js';
import type { Source } from '../../database/address.js';
import { fillTables, refuseFilled } from './fill-tables.js';
import { forgetLostCredentials } from '../../sync/connections/credentials/forget-lost-credentials.js';

export interface RestoreOptions {
  /** Of this install. */
  secrets: AppSecrets;
  /** Of the install that was backed up, if the backup includes them: what they sealed is resealed. */
  backupSecrets?: AppSecrets | null;
  /** Of this install. */
  modules?: readonly TidemarkModule[];
  /** Whether connections whose credential cannot be unsealed ask for a new one. */
  forgetLost?: boolean;
  /**
   * Called with the rows as they were backed up, before newer migrations change them. An inspected database is not
   * served and keeps its revisions.
   */
  inspect?: (session: pg.Client) => Promise<void>;
}

/**
 * Restores a backup into an empty database. The migrations of the backup create the schema, and newer ones run over the
 * restored rows. All rows are committed together or not at all.
 *
 * @returns the tables that were left out because they are not Tidemark's
 * @throws BackupRefusedError when the database is not empty, its schema is not the backup's, or the secret does not match
 */
export async function restoreBackup(
  { address, settings }: Source,
  backup: BackupFile,
  options: RestoreOptions,
  signal?: AbortSignal,
): Promise<string[]> {
  const { manifest } = backup;
  const { modules = [] } = options;
  refuseUnknownSchema(manifest, modules);
  refuseLostSecret(manifest, options);
  refuseUnsigned(backup, options);
  const restore = async (migrator: IMigrator) => {
    const fill = async (session: pg.Client) => {
      const leftOut = await fillTables(session, backup);
      await options.inspect?.(session);
      await openCredentials(session, options);
      if (!options.inspect) await advanceRevisions(session);
      await session.query(CANCEL_SYNCS);
      return leftOut;
    };
    const inTransaction = <T>(work: (session: pg.Client) => Promise<T>) =>
      inCopyTransaction(address, settings, 'isolation level read committed', work, signal);
    await inTransaction(refuseFilled);
    await inTransaction((session) => refusePrepared(session, manifest));
    await migrator.up({ migrations: manifest.migrations });
    const leftOut = await inTransaction(fill);
    await migrator.up();
    await inTransaction((session) => session.query('analyze'));
    return leftOut;
  };
  return underMigrationLock(address, settings, restore, { signal, modules });
}

function refuseUnknownSchema(manifest: Manifest, modules: readonly TidemarkModule[]): void {
  const wanted = manifest.migrations.map((name) => ({ name, module: manifest.modules[name] ?? null }));
  const foreign = findForeign(wanted, modules);
  if (!foreign) return;
  throw new BackupRefusedError(`This backup has tables of ${foreign.cause}: to restore it, ${foreign.advice}.`);
}

/** Their jobs are in no backup. */
const CANCEL_SYNCS = `
  update sync_runs set status = 'cancelled', step = 'cancelled', finished_at = now() where status in ('queued', 'running')`;

/** Its rows belong into tables as they were: nothing is reverted. */
async function refusePrepared(session: pg.ClientBase, { migrations }: Manifest): Promise<void> {
  const later = (await readMigrations(session)).find(({ name }) => !migrations.includes(name));
  if (!later) return;
  throw new BackupRefusedError(
    `The database has tables that this backup does not know (${later.name}): ` +
      'name an empty one in DATABASE_URL, or an empty DATA_DIR.',
  );
}

function refuseLostSecret({ sealedWith }: Manifest, { secrets, backupSecrets, forgetLost }: RestoreOptions): void {
  const lost = countLost(sealedWith, openerOf(secrets, backupSecrets));
  if (lost === 0 || forgetLost) return;
  const advice = backupSecrets
    ? 'the secret in the backup is not theirs either.'
    : 'set APP_SECRET to the one of the install that was backed up, or add it to the list.';
  throw new BackupRefusedError(
    `The APP_SECRET does not fit this backup: ${lost} credentials in it were sealed with another one; ${advice}`,
  );
}

function refuseUnsigned(
  { path, manifest: { signature }, signedText }: BackupFile,
  { secrets, backupSecrets, forgetLost }: RestoreOptions,
): void {
  if (openerOf(secrets, backupSecrets).hasSigned(signedText, signature) || forgetLost) return;
  throw new BackupRefusedError(
    `${path} was changed after it was written, or was written with another APP_SECRET: ` +
      'set the APP_SECRET of the install that was backed up, or use --forget-lost if you trust the file.',
  );
}

/** Unseals what either install has sealed. */
function openerOf({ newestFirst: [newest, ...older] }: AppSecrets, backupSecrets?: AppSecrets | null): CredentialVault {
  return new CredentialVault({ newestFirst: [newest, ...older, ...(backupSecrets?.newestFirst ?? [])] });
}

async function openCredentials(
  session: pg.Client,
  { secrets, backupSecrets, forgetLost }: RestoreOptions,
): Promise<void> {
  if (backupSecrets) await resealCredentials(session, openerOf(secrets, backupSecrets), new CredentialVault(secrets));
  if (forgetLost) await forgetLostCredentials(session, new CredentialVault(secrets));
}
