import type { IMigrator } from '@mikro-orm/core';
import { MikroORM } from '@mikro-orm/postgresql';
import type pg from 'pg';
import { EXIT_CONFIG, StartupError } from '../config/startup-error.js';
import type { MigrationClass } from '../extension/extension.js';
import { type DatabaseAddress, directAddress } from './address.js';
import { MIGRATIONS } from './migrations/migrations.js';
import { ormOptions } from './orm-options.js';
import { readSchemaState, type SchemaState } from './schema-state.js';
import type { DatabaseSettings } from '../config/database-settings.js';
import { usingSessionsFor } from './sessions/session-limits.js';

/** Any number that no other program takes as its advisory lock on this database. */
const MIGRATION_LOCK = 7_302_771;
const LOCK_NOT_AVAILABLE = '55P03';
/** One holds the lock, the other one migrates. */
const SESSIONS = 2;

/**
 * Brings the database to this version.
 *
 * @param signal ends it early: the migration under way is rolled back
 * @param migrations of this program, with those of its extensions
 * @throws StartupError when another instance keeps the lock for too long, or a newer version has changed the database
 */
export async function migrate(
  address: DatabaseAddress,
  settings: DatabaseSettings,
  signal?: AbortSignal,
  migrations: readonly MigrationClass[] = MIGRATIONS,
): Promise<void> {
  const bringUp = async (migrator: IMigrator, session: pg.ClientBase) => {
    refuseNewer(await readSchemaState(session, migrations));
    await migrator.up();
  };
  await underMigrationLock(address, settings, bringUp, signal, migrations);
}

/**
 * Runs `work` while no other instance migrates. Instances that start together wait for each other under an advisory lock.
 * It is the lock of a transaction: one of the session would stay on a pooler's server connection after we have gone.
 */
export async function underMigrationLock<T>(
  address: DatabaseAddress,
  settings: DatabaseSettings,
  work: (migrator: IMigrator, session: pg.ClientBase) => Promise<T>,
  signal?: AbortSignal,
  migrations: readonly MigrationClass[] = MIGRATIONS,
): Promise<T> {
  const options = ormOptions(directAddress(address), [], settings, undefined, migrations);
  const orm = await MikroORM.init({ ...options, pool: { max: SESSIONS } });
  try {
    return await usingSessionsFor('migration', async () => {
      const pool = await orm.em.getConnection().getNativeClient();
      endSessionsOn(signal, pool);
      const session = await pool.connect();
      try {
        await session.query('begin');
        await lock(session, settings.limits.migration.lockTimeoutMs);
        return await work(orm.migrator, session);
      } finally {
        // Ending the session ends its transaction, even when the migration failed half way.
        session.release(true);
      }
    });
  } finally {
    await orm.close(true);
  }
}

/**
 * An instance that runs already when a newer version migrates goes on: what a version needs of the schema is taken away by
 * the version after the next at the earliest. One that starts now could meet any later version's.
 */
function refuseNewer({ unknown }: SchemaState): void {
  if (unknown.length === 0) return;
  throw new StartupError(
    `The database was changed by a newer version of Tidemark (${unknown.at(-1)}): ` +
      'start that version, or restore a backup of this one into an empty database.',
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

/** PostgreSQL rolls back what a session without a client was doing. */
function endSessionsOn(signal: AbortSignal | undefined, pool: pg.Pool): void {
  const sessions = new Set<pg.ClientBase>();
  pool.on('acquire', (session) => sessions.add(session));
  signal?.addEventListener('abort', () => {
    for (const session of sessions) void (session as pg.Client).end();
  });
}
