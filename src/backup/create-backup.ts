import type pg from 'pg';
import type { DatabaseAddress } from '../database/address.js';
import type { DatabaseSettings } from '../config/database-settings.js';
import { type ExecutedMigration, readMigrations } from '../database/schema-state.js';
import { countSealedWith } from '../connections/credentials/reseal-credentials.js';
import { VERSION } from '../config/version.js';
import { CredentialVault } from '../vault/credential-vault.js';
import {
  BackupRefusedError,
  FORMAT,
  type Manifest,
  type SealedSecret,
  type UnsignedManifest,
} from './backup-format.js';
import { inCopyTransaction } from './copy-session.js';
import { copyTable, listSequences, listTables, type TableDigest } from './tables.js';
import { type BackupRows, writeBackupFile } from './write-backup-file.js';

interface WrittenBackup {
  path: string;
  bytes: number;
  manifest: Manifest;
}

export interface Source {
  address: DatabaseAddress;
  settings: DatabaseSettings;
}

/**
 * Writes the whole database to a file, from one snapshot, while others read and write.
 *
 * @param vault signs the file
 * @param secret is included; `null`: credentials can be unsealed only where the APP_SECRET is known
 * @throws BackupRefusedError when the database is empty or the file cannot be written
 */
export async function createBackup(
  { address, settings }: Source,
  path: string,
  vault: CredentialVault,
  secret: SealedSecret | null = null,
  signal?: AbortSignal,
): Promise<WrittenBackup> {
  const snapshot = 'isolation level repeatable read read only';
  const work = (session: pg.Client) =>
    writeBackupFile(path, readRows(session, secret), (text) => vault.sign(text), signal);
  const written = await inCopyTransaction(address, settings, snapshot, work, signal);
  return { path, ...written };
}

async function* readRows(session: pg.ClientBase, secret: SealedSecret | null): BackupRows {
  const migrations = await readMigrations(session);
  if (migrations.length === 0)
    throw new BackupRefusedError('There is nothing to back up: Tidemark has not used this database yet.');
  const digests: TableDigest[] = [];
  for (const table of await listTables(session)) {
    digests.push(yield* copyTable(session, table));
    yield null;
  }
  return describe(session, migrations, digests, secret);
}

async function describe(
  session: pg.ClientBase,
  migrations: readonly ExecutedMigration[],
  tables: TableDigest[],
  secret: SealedSecret | null,
): Promise<UnsignedManifest> {
  const { rows: about } = await session.query<{ server: string; now: Date }>(
    `select current_setting('server_version') as server, now() as now`,
  );
  const { server, now } = about[0]!;
  return {
    format: FORMAT,
    program: VERSION,
    server,
    createdAt: now.toISOString(),
    migrations: migrations.map(({ name }) => name),
    extensions: Object.fromEntries(migrations.flatMap(({ name, extension }) => (extension ? [[name, extension]] : []))),
    tables,
    sequences: (await listSequences(session, tables)).flatMap(({ name, value }) => (value ? [{ name, value }] : [])),
    sealedWith: await countSealedWith(session),
    secret,
  };
}
