import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { DatabaseAddress } from '../database/address.js';
import { sqlStateOf } from '../database/as-startup-error.js';
import { withPlainSession } from '../database/plain-session.js';
import { BackupRefusedError, type Manifest } from './backup-format.js';
import { digestTable, listTables } from './tables.js';
import type { Source } from './create-backup.js';
import type { BackupFile } from './read-backup-file.js';
import { restoreBackup, type RestoreOptions } from './restore-backup.js';

/** Any number that no other program uses as an advisory lock on this database. Whoever verifies shares it. */
const VERIFY_LOCK = 7_302_775;
const INSUFFICIENT_PRIVILEGE = '42501';
const OBJECT_IN_USE = '55006';

/**
 * Restores a backup into a temporary database on the same server, and compares every table with the manifest. The
 * database is dropped afterwards. It has the encoding and the locale of the one in use, because lists are sorted by name.
 *
 * @param use works with the restored database, after all migrations of this program
 * @throws BackupRefusedError when the rows of a table differ
 */
export async function verifyBackup<T>(
  source: Source,
  backup: BackupFile,
  options: RestoreOptions,
  use: (restored: DatabaseAddress) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const inspect = (session: pg.Client) => compareTables(session, backup.manifest);
  const verify = async (session: pg.Client) => {
    const name = (await dropLeftovers(source, session)) + randomUUID().replaceAll('-', '');
    await session.query('begin');
    await session.query('select pg_advisory_xact_lock_shared($1)', [VERIFY_LOCK]);
    await createDatabase(source, name, await readLocale(session));
    try {
      const address = inDatabase(source.address, name);
      await makeSchemaOf(session, { ...source, address });
      await restoreBackup({ ...source, address }, backup, { ...options, inspect }, signal);
      return await use(address);
    } finally {
      await dropDatabase(source, name);
    }
  };
  return withPlainSession(source.address, source.settings, verify, source.settings.limits.migration);
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

/** As `create database` takes it. The names of some columns depend on the version of PostgreSQL. */
async function readLocale(session: pg.Client): Promise<string> {
  const { rows } = await session.query<{ locale: string }>(`
    select concat_ws(' ',
      format('encoding %L lc_collate %L lc_ctype %L', pg_encoding_to_char(encoding), datcollate, datctype),
      case datlocprovider
        when 'i' then format('locale_provider icu icu_locale %L', locale)
        when 'b' then format('locale_provider builtin builtin_locale %L', locale)
        else 'locale_provider libc'
      end,
      'icu_rules ' || quote_literal(to_jsonb(d) ->> 'daticurules')
    ) as locale
    from pg_database d, coalesce(to_jsonb(d) ->> 'datlocale', to_jsonb(d) ->> 'daticulocale') locale
    where datname = current_database()`);
  return rows[0]!.locale;
}

/** A search path that belongs to the user and not to the database leads to the same schema in every database. */
async function makeSchemaOf(session: pg.Client, target: Source): Promise<void> {
  const { rows } = await session.query<{ schema: string }>('select current_schema() as schema');
  await onServer(target, `create schema if not exists ${pg.escapeIdentifier(rows[0]!.schema)}`);
}

async function createDatabase(source: Source, name: string, locale: string): Promise<void> {
  try {
    await onServer(source, `create database ${name} template template0 ${locale}`);
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
