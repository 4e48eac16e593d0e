import { Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { CommandContext } from '../../kit.js';
import {
  advanceRevisions,
  type AppSecrets,
  CredentialVault,
  findForeign,
  forgetLostCredentials,
  readMigrations,
  resealCredentials,
  type Source,
  underMigrationLock,
} from '../../kit/operate.js';
import { type BackupFile, BackupRefusedError, type Manifest, rowsOf } from './backup-file.js';
import { identifiers, inCopyTransaction, listTables } from './tables.js';

export interface RestoreOptions {
  /** Of this install. */
  secrets: AppSecrets;
  /** Of the install that was backed up, if the backup includes them: what they sealed is resealed. */
  backupSecrets?: AppSecrets | null;
  /** Of this install. */
  modules?: CommandContext['modules'];
  /** Whether connections whose credential cannot be unsealed ask for a new one. */
  forgetLost?: boolean;
  /**
   * Called with the rows as they were backed up, before newer migrations change them. An inspected database is not
   * served and keeps its revisions.
   */
  inspect?: (session: pg.Client) => Promise<void>;
}

/** Their jobs are in no backup. */
const CANCEL_SYNCS = `
  update sync_runs set status = 'cancelled', step = 'cancelled', finished_at = now() where status in ('queued', 'running')`;

/**
 * Restores a backup into an empty database. The migrations of the backup create the schema, and newer ones run over the
 * restored rows. All rows are committed together or not at all.
 *
 * @returns the tables that were left out because they are not Tidemark's
 * @throws BackupRefusedError when the database is not empty, its schema is not the backup's, or the secret does not match
 */
export async function restoreBackup(
  source: Source,
  backup: BackupFile,
  options: RestoreOptions,
  signal?: AbortSignal,
): Promise<string[]> {
  const { manifest } = backup;
  const { modules = [] } = options;
  refuseUnknownSchema(manifest, modules);
  refuseUnsigned(backup, options);
  const inTransaction = <T>(work: (session: pg.Client) => Promise<T>) =>
    inCopyTransaction(source, 'read committed', work, signal);
  const fill = async (session: pg.Client) => {
    const leftOut = await fillTables(session, backup);
    await options.inspect?.(session);
    await openCredentials(session, options);
    if (!options.inspect) await advanceRevisions(session);
    await session.query(CANCEL_SYNCS);
    return leftOut;
  };
  return underMigrationLock(
    source.address,
    source.settings,
    async (migrator) => {
      await inTransaction((session) => refuseFilled(session, manifest));
      await migrator.up({ migrations: manifest.migrations });
      const leftOut = await inTransaction(fill);
      await migrator.up();
      await inTransaction((session) => session.query('analyze'));
      return leftOut;
    },
    { signal, modules },
  );
}

function refuseUnknownSchema(manifest: Manifest, modules: CommandContext['modules']): void {
  const wanted = manifest.migrations.map((name) => ({ name, module: manifest.modules[name] ?? null }));
  const foreign = findForeign(wanted, modules);
  if (!foreign) return;
  throw new BackupRefusedError(`This backup has tables of ${foreign.cause}: to restore it, ${foreign.advice}.`);
}

function refuseUnsigned(
  { path, manifest: { signature }, signedText }: BackupFile,
  { secrets, backupSecrets, forgetLost }: RestoreOptions,
): void {
  if (openerOf(secrets, backupSecrets).hasSigned(signedText, signature) || forgetLost) return;
  throw new BackupRefusedError(
    `${path} was written with another APP_SECRET, or changed after it was written: ` +
      'set the APP_SECRET of the install that was backed up, or copy the file app-secret from its DATA_DIR into this one, ' +
      'or use --forget-lost if you trust the file.',
  );
}

/** @throws BackupRefusedError when the database has users, or tables that the backup does not know */
async function refuseFilled(session: pg.ClientBase, { migrations }: Manifest): Promise<void> {
  const { rows } = await session.query<{ ours: boolean; others: boolean }>(`
    select count(*) filter (where tablename in ('migrations', 'users')) = 2 as ours,
      count(*) filter (where tablename <> 'migrations') > 0 as others
    from pg_tables where schemaname = current_schema()`);
  const { ours, others } = rows[0]!;
  const isLater = (await readMigrations(session)).some(({ name }) => !migrations.includes(name));
  const isFilled = ours ? (await session.query('select 1 from users limit 1')).rowCount !== 0 : others;
  if (!isFilled && !isLater) return;
  throw new BackupRefusedError(
    `The database ${isFilled ? 'is not empty' : 'has tables that this backup does not know'}, and a restore never ` +
      'overwrites: name an empty one in DATABASE_URL, or an empty DATA_DIR.',
  );
}

/**
 * Copies the rows of a backup into the empty tables of its schema. Triggers are disabled meanwhile, because the backup
 * includes what they would write. Foreign keys are checked.
 *
 * @returns the tables that were left out because no migration creates them
 */
async function fillTables(session: pg.Client, backup: BackupFile): Promise<string[]> {
  const { tables, sequences } = backup.manifest;
  const present = new Set((await listTables(session)).map(({ name }) => name));
  const names = tables.filter(({ name }) => present.has(name)).map(({ name }) => pg.escapeIdentifier(name));
  await session.query(`lock table ${names.join(', ')} in access exclusive mode`);
  // Somebody may have signed up since the first check.
  await refuseFilled(session, backup.manifest);
  for (const name of names) await session.query(`alter table ${name} disable trigger user`);
  // An install without users has rows, too: always the epoch of the feed, and maybe failed sign-ins.
  for (const name of names.toReversed()) await session.query(`delete from ${name}`);
  await copyRows(session, backup, present);
  for (const name of names) await session.query(`alter table ${name} enable trigger user`);
  // The backup has those of other tables, too.
  await session.query(
    `select setval(to_regclass(quote_ident(name)), value::bigint)
     from jsonb_to_recordset($1) as sequence (name text, value text) where to_regclass(quote_ident(name)) is not null`,
    [JSON.stringify(sequences)],
  );
  return tables.map(({ name }) => name).filter((name) => !present.has(name));
}

async function copyRows(session: pg.Client, backup: BackupFile, present: ReadonlySet<string>): Promise<void> {
  const parts = rowsOf(backup);
  let part = await parts.next();
  /** The rows up to the first part of another table. */
  async function* rowsOfTable(name: string): AsyncGenerator<Buffer, void> {
    while (!part.done && part.value.table === name) {
      yield part.value.rows;
      part = await parts.next();
    }
  }
  try {
    for (const { name, columns } of backup.manifest.tables) {
      const rows = Readable.from(rowsOfTable(name), { objectMode: false });
      if (!present.has(name)) await finished(rows.resume());
      else {
        const into = `${pg.escapeIdentifier(name)} (${identifiers(columns)})`;
        await pipeline(rows, session.query(copyFrom(`copy ${into} from stdin`)));
      }
    }
  } finally {
    await parts.return();
  }
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
