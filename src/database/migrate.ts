import { DeadlockException, type IMigrator } from '@mikro-orm/core';
import { MikroORM } from '@mikro-orm/postgresql';
import type pg from 'pg';
import { EXIT_CONFIG, StartupError } from '../config/startup-error.js';
import type { Extension } from '../extension/extension.js';
import { type DatabaseAddress, directAddress } from './address.js';
import { migrationsWith } from './migrations/migrations-with.js';
import { ormOptions } from './orm-options.js';
import { withPlainSession } from './plain-session.js';
import { explainUnknown, noteExtensions, readSchemaState, type SchemaState } from './schema-state.js';
import type { DatabaseSettings } from '../config/database-settings.js';
import { usingSessionsFor } from './sessions/session-pool.js';

/** Any number that no other program takes as its advisory lock on this database. */
const MIGRATION_LOCK = 7_302_771;
const LOCK_NOT_AVAILABLE = '55P03';
/** One for the lock, one for the migrations. */
const SESSIONS = 2;
const MAX_ATTEMPTS = 5;

/**
 * Runs all pending migrations.
 *
 * @param signal ends it early: the migration under way is rolled back
 * @throws StartupError when another instance keeps the lock for too long, or the database has migrations of another program
 */
export async function migrate(
  address: DatabaseAddress,
  settings: DatabaseSettings,
  signal?: AbortSignal,
  extensions: readonly Extension[] = [],
): Promise<void> {
  const migrateUp = async (migrator: IMigrator) => {
    // In a session of its own: the one that holds the lock would keep the list of migrations from being altered.
    const read = (session: pg.ClientBase) => readSchemaState(session, extensions);
    refuseUnknown(await withPlainSession(address, settings, read));
    await upWithRetries(migrator);
  };
  await underMigrationLock(address, settings, migrateUp, signal, extensions);
}

/**
 * Instances of the previous version still read meanwhile. If they and a migration deadlock, PostgreSQL cancels one of
 * them; a cancelled migration is rolled back and tried again.
 */
async function upWithRetries(migrator: IMigrator): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await migrator.up();
      return;
    } catch (error) {
      if (!(error instanceof DeadlockException) || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

/**
 * Runs `work` under an advisory lock, so that only one instance migrates at a time. The lock belongs to a transaction,
 * because a pooler would keep the lock of a session after it has ended.
 */
export async function underMigrationLock<T>(
  address: DatabaseAddress,
  settings: DatabaseSettings,
  work: (migrator: IMigrator) => Promise<T>,
  signal: AbortSignal | undefined,
  extensions: readonly Extension[],
): Promise<T> {
  const options = ormOptions(directAddress(address), [], settings, undefined, migrationsWith(extensions));
  const orm = await MikroORM.init({ ...options, pool: { max: SESSIONS } });
  try {
    return await usingSessionsFor('migration', async () => {
      const pool = await orm.em.getConnection().getNativeClient();
      endSessionsOn(signal, pool);
      const session = await pool.connect();
      try {
        await session.query('begin');
        await lock(session, settings.limits.migration.lockTimeoutMs);
        const result = await work(orm.migrator);
        await noteExtensions(session, extensions);
        await session.query('commit');
        return result;
      } finally {
        // Ends the transaction, also after a failed migration.
        session.release(true);
      }
    });
  } finally {
    await orm.close(true);
  }
}

/**
 * Refuses a database that a newer version has migrated. An instance that runs already may continue, because what it
 * needs of the schema is dropped by the version after the next at the earliest.
 */
function refuseUnknown({ unknown }: SchemaState): void {
  const explained = explainUnknown(unknown);
  if (!explained) return;
  throw new StartupError(
    `The database was changed by ${explained.cause}: ${explained.advice}, ` +
      'or restore a backup of this one into an empty database.',
    EXIT_CONFIG,
  );
}

async function lock(session: pg.ClientBase, timeoutMs: number): Promise<void> {
  try {
    await session.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
  } catch (error) {
    if ((error as { code?: unknown }).code !== LOCK_NOT_AVAILABLE) throw error;
    throw new StartupError(
      `Another instance has been migrating this database for ${timeoutMs / 1000} s. ` +
        'Wait until it has finished, or raise DATABASE_MIGRATION_LOCK_TIMEOUT_MS.',
    );
  }
}

/** PostgreSQL rolls back the transactions of ended sessions. */
function endSessionsOn(signal: AbortSignal | undefined, pool: pg.Pool): void {
  const sessions = new Set<pg.ClientBase>();
  const endAll = () => {
    for (const session of sessions) void (session as pg.Client).end();
  };
  pool.on('acquire', (session) => {
    sessions.add(session);
    if (signal?.aborted) endAll();
  });
  signal?.addEventListener('abort', endAll);
}
