import pg from 'pg';
import { type DatabaseAddress, type Source, sqlStateOf, withPlainSession } from '../../kit/operate.js';
import { type BackupFile, BackupRefusedError, type Manifest } from './backup-file.js';
import { restoreBackup, type RestoreOptions } from './restore-backup.js';
import { digestTable, listTables } from './tables.js';

/** Any number that no other program uses as an advisory lock on this database. */
const VERIFY_LOCK = 7_302_775;
const INSUFFICIENT_PRIVILEGE = '42501';

/**
 * Restores a backup into a temporary database on the same server, compares every table with the manifest, and runs the
 * migrations that are newer. The database is dropped afterwards; one that a killed verification has left, before.
 *
 * @throws BackupRefusedError when the rows of a table differ
 */
export async function verifyBackup(
  source: Source,
  backup: BackupFile,
  options: RestoreOptions,
  signal?: AbortSignal,
): Promise<void> {
  const inspect = (session: pg.Client) => compareTables(session, backup.manifest);
  const verify = async (session: pg.Client) => {
    const { name, schema } = await claimName(session);
    await dropDatabase(source, name);
    await createDatabase(source, name);
    try {
      const target = { ...source, address: inDatabase(source.address, name) };
      // A search path that belongs to the user and not to the database leads to the same schema in every database.
      await onServer(target, `create schema if not exists ${pg.escapeIdentifier(schema)}`);
      await restoreBackup(target, backup, { ...options, inspect }, signal);
    } finally {
      await dropDatabase(source, name);
    }
  };
  await withPlainSession(source.address, source.settings, verify, 'migration');
}

/**
 * The name of the temporary database, which one verification of this database has at a time. The lock belongs to a
 * transaction, because a pooler would keep the lock of a session after it has ended.
 */
async function claimName(session: pg.Client): Promise<{ name: string; schema: string }> {
  await session.query('begin');
  const { rows } = await session.query<{ name: string; schema: string; isAlone: boolean }>(
    `select concat('tidemark_verify_', oid) as name, current_schema() as schema, pg_try_advisory_xact_lock($1) as "isAlone"
     from pg_database where datname = current_database()`,
    [VERIFY_LOCK],
  );
  if (rows[0]!.isAlone) return rows[0]!;
  throw new BackupRefusedError('Another restore --verify is under way: try again when it has ended.');
}

/** Counts and digests the restored rows again. */
async function compareTables(session: pg.Client, { tables }: Manifest): Promise<void> {
  const restored = new Map((await listTables(session)).map((table) => [table.name, table]));
  for (const { name, columns, rows, digest } of tables) {
    const table = restored.get(name);
    if (!table) continue;
    const found = await digestTable(session, { ...table, columns });
    if (found.rows !== rows || found.digest !== digest) {
      throw new BackupRefusedError(`${name} differs after the restore: ${found.rows} rows instead of ${rows}.`);
    }
  }
}

/** The same server, another database. */
function inDatabase(address: DatabaseAddress, name: string): DatabaseAddress {
  if (!('clientUrl' in address)) return { ...address, dbName: name };
  const url = new URL(address.directUrl ?? address.clientUrl);
  url.pathname = `/${name}`;
  return { clientUrl: url.href };
}

async function createDatabase(source: Source, name: string): Promise<void> {
  try {
    await onServer(source, `create database ${name} template template0 encoding 'UTF8' locale 'C'`);
  } catch (error) {
    if (sqlStateOf(error) !== INSUFFICIENT_PRIVILEGE) throw error;
    throw new BackupRefusedError(
      'The user in DATABASE_URL may not create databases, which --verify needs: ' +
        'grant CREATEDB, or verify without DATABASE_URL, on the embedded PostgreSQL.',
    );
  }
}

/** PostgreSQL ends an autovacuum worker in it, and waits some seconds for the end of our own sessions. */
async function dropDatabase(source: Source, name: string): Promise<void> {
  try {
    await onServer(source, `drop database if exists ${name}`);
  } catch (error) {
    throw new BackupRefusedError(
      `The database ${name}, into which a backup was restored to verify it, could not be dropped: ` +
        `${(error as Error).message}. It holds a copy of everything, so drop it yourself.`,
    );
  }
}

function onServer({ address, settings }: Source, statement: string): Promise<unknown> {
  return withPlainSession(address, settings, (session) => session.query(statement));
}
