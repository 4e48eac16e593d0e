import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { DatabaseAddress } from '../../database/address.js';
import { sqlStateOf } from '../../database/as-startup-error.js';
import { withPlainSession } from '../../database/plain-session.js';
import { type BackupFile, BackupRefusedError, type Manifest } from './backup-file.js';
import { digestTable, listTables } from './tables.js';
import type { Source } from '../../database/address.js';
import { restoreBackup, type RestoreOptions } from './restore-backup.js';

/** Any number that no other program uses as an advisory lock on this database. Whoever verifies shares it. */
const VERIFY_LOCK = 7_302_775;
const INSUFFICIENT_PRIVILEGE = '42501';
const OBJECT_IN_USE = '55006';

/**
 * Restores a backup into a temporary database on the same server, compares every table with the manifest, and runs the
 * migrations that are newer. The database is dropped afterwards.
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
    const name = (await dropLeftovers(source, session)) + randomUUID().replaceAll('-', '');
    await session.query('begin');
    await session.query('select pg_advisory_xact_lock_shared($1)', [VERIFY_LOCK]);
    await createDatabase(source, name);
    try {
      const address = inDatabase(source.address, name);
      await makeSchemaOf(session, { ...source, address });
      await restoreBackup({ ...source, address }, backup, { ...options, inspect }, signal);
    } finally {
      await dropDatabase(source, name);
    }
  };
  await withPlainSession(source.address, source.settings, verify, 'migration');
}

/**
 * Drops what killed verifications of this database have left, unless another one is under way. The lock belongs to a
 * transaction, because a pooler would keep the lock of a session after it has ended.
 *
 * @returns how the names of their databases begin
 */
async function dropLeftovers(source: Source, session: pg.Client): Promise<string> {
  await session.query('begin');
  const { rows } = await session.query<{ prefix: string; left: string[]; isAlone: boolean }>(
    `select prefix, array(select datname::text from pg_database where starts_with(datname, prefix)) as left,
       pg_try_advisory_xact_lock($1) as "isAlone"
     from pg_database, concat('tidemark_verify_', oid, '_') prefix where datname = current_database()`,
    [VERIFY_LOCK],
  );
  const { prefix, left, isAlone } = rows[0]!;
  if (isAlone) for (const name of left) await dropDatabase(source, name);
  await session.query('rollback');
  return prefix;
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

/** A search path that belongs to the user and not to the database leads to the same schema in every database. */
async function makeSchemaOf(session: pg.Client, target: Source): Promise<void> {
  const { rows } = await session.query<{ schema: string }>('select current_schema() as schema');
  await onServer(target, `create schema if not exists ${pg.escapeIdentifier(rows[0]!.schema)}`);
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

/**
 * First without `force`: PostgreSQL then ends an autovacuum worker in the database itself, which our role may not do.
 * Then with it, which ends sessions of ours that are still open.
 *
 * @throws BackupRefusedError with the name of the database when it cannot be dropped
 */
async function dropDatabase(source: Source, name: string): Promise<void> {
  try {
    await onServer(source, `drop database if exists ${name}`).catch((error: unknown) => {
      if (sqlStateOf(error) !== OBJECT_IN_USE) throw error;
      return onServer(source, `drop database if exists ${name} with (force)`);
    });
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
