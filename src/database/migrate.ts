import { DeadlockException, type IMigrator } from '@mikro-orm/core';
import { MikroORM } from '@mikro-orm/postgresql';
import type pg from 'pg';
import { EXIT_CONFIG, StartupError } from '../platform/config/startup-error.js';
import type { TidemarkModule } from '../platform/module.js';
import { type DatabaseAddress, directAddress } from './address.js';
import { sqlStateOf } from './as-startup-error.js';
import { checkServer } from './check-server.js';
import { migrationsWith } from './migrations/migrations.js';
import { ormOptions } from './orm-options.js';
import { withPlainSession } from './plain-session.js';
import { noteModules, readSchemaState, type SchemaState } from './schema-state.js';
import type { DatabaseSettings, SessionLimits } from '../platform/config/database-settings.js';

/** Any number that no other program takes as its advisory lock on this database. */
const MIGRATION_LOCK = 7_302_771;
const LOCK_NOT_AVAILABLE = '55P03';
const MAX_DEADLOCKS = 4;

interface MigrationOptions {
  /** Ends it early: the migration under way is rolled back. */
  signal?: AbortSignal;
  /** Whose migrations run after those of the service. */
  modules?: readonly TidemarkModule[];
}

/**
 * Runs all pending migrations.
 *
 * @param options.onWait called once, with a sentence that says what it waits for
 * @throws StartupError when another instance keeps the lock for too long, or the database has migrations of another program
 */
export async function migrate(
  address: DatabaseAddress,
  settings: DatabaseSettings,
  { signal, modules = [], onWait }: MigrationOptions & { onWait?: (sentence: string) => void } = {},
): Promise<void> {
  const { migration, request } = settings.limits;
  // Whoever comes after a migration that waits for a table waits behind it: it gives up before their limit ends.
  const attempt = { ...migration, lockTimeoutMs: Math.min(migration.lockTimeoutMs, request.lockTimeoutMs / 2) };
  const migrateUp = async (migrator: IMigrator) => {
    // In a session of its own: the one that holds the lock would keep the list of migrations from being altered.
    refuseForeign(await withPlainSession(address, settings, (session) => readSchemaState(session, modules)));
    await upWithRetries(migrator, migration.lockTimeoutMs / attempt.lockTimeoutMs, onWait);
  };
  await underMigrationLock(address, settings, migrateUp, { signal, modules, attempt });
}

/**
 * Instances of the previous version still read and write meanwhile. If they and a migration deadlock, PostgreSQL cancels
 * one of them. A migration that is cancelled, or does not get its lock, is rolled back and tried again.
 */
async function upWithRetries(
  migrator: IMigrator,
  maxWaits: number,
  onWait?: (sentence: string) => void,
): Promise<void> {
  for (let waits = 0, deadlocks = 0; ;) {
    try {
      await migrator.up();
      return;
    } catch (error) {
      const isLate = sqlStateOf(error) === LOCK_NOT_AVAILABLE;
      const isFinal = isLate
        ? ++waits >= maxWaits
        : !(error instanceof DeadlockException) || ++deadlocks > MAX_DEADLOCKS;
      if (isFinal) throw error;
      if (isLate && waits === 1) onWait?.('A migration waits for a lock that another session holds.');
    }
  }
}

/**
 * Runs `work` under an advisory lock, so that only one instance migrates at a time. The lock belongs to a transaction,
 * because a pooler would keep the lock of a session after it has ended.
 *
 * @param options.attempt limits of the migrations, by default those of the settings
 * @throws StartupError when the server, the database or the user's rights are not sufficient
 */
export async function underMigrationLock<T>(
  address: DatabaseAddress,
  settings: DatabaseSettings,
  work: (migrator: IMigrator) => Promise<T>,
  { signal, modules = [], attempt = settings.limits.migration }: MigrationOptions & { attempt?: SessionLimits },
): Promise<T> {
  const limited = { ...settings, limits: { ...settings.limits, migration: attempt } };
  const options = ormOptions(directAddress(address), limited, {
    migrations: migrationsWith(modules),
    pool: { max: 1, onPoolCreated: (pool) => endSessionsOn(signal, pool) },
    use: 'migration',
  });
  // Without a schema the migrator looks for its table in "public", wherever the search path leads.
  const schema = await withPlainSession(address, settings, (session) => checkServer(session, modules));
  const orm = await MikroORM.init({ ...options, schema });
  try {
    const locked = async (session: pg.ClientBase) => {
      await session.query('begin');
      await lock(session, settings.limits.migration.lockTimeoutMs);
      const result = await work(orm.migrator);
      await noteModules(session, modules);
      await session.query('commit');
      return result;
    };
    // The end of the session ends the transaction, also after a failed migration.
    return await withPlainSession(address, settings, locked, 'migration', signal);
  } finally {
    await orm.close(true);
  }
}

/**
 * Refuses a database that another program has migrated. An instance that runs already may continue beside a newer version,
 * because what it needs of the schema is dropped by the version after the next at the earliest.
 */
function refuseForeign({ foreign }: SchemaState): void {
  if (!foreign) return;
  const { cause, advice, otherwise } = foreign;
  throw new StartupError(`The database was changed by ${cause}: ${advice}, or ${otherwise}.`, EXIT_CONFIG);
}

async function lock(session: pg.ClientBase, timeoutMs: number): Promise<void> {
  try {
    await session.query(`set local lock_timeout = ${timeoutMs}`);
    await session.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
  } catch (error) {
    if (sqlStateOf(error) !== LOCK_NOT_AVAILABLE) throw error;
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
