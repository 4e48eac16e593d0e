import { z } from 'zod';
import { integer, MAX_TIMEOUT_MS, timeoutMs } from './environment-values.js';

/** The use of a database session. Each use has limits of its own. */
export type SessionUse = 'request' | 'background' | 'export' | 'migration';

/** The limits that PostgreSQL enforces in a session. */
export interface SessionLimits {
  statementTimeoutMs: number;
  lockTimeoutMs: number;
  idleInTransactionTimeoutMs: number;
}

/** How many sessions this instance opens, and how long it waits for any of them. */
export interface DatabaseSettings {
  /** All sessions of this instance, the listener included. */
  poolMax: number;
  /** Of waiting for a session of a pool, and of opening one. */
  connectTimeoutMs: number;
  limits: Readonly<Record<SessionUse, SessionLimits>>;
}

/** The variables of the limits, named and described as those of the service are. */
export const DATABASE_LIMITS = z.object({
  databasePoolMax: integer(1, 1000)
    .prefault('20')
    .describe('Sessions of one instance, all pools and listeners together; most of them are open under load only.'),
  databaseConnectTimeoutMs: timeoutMs()
    .prefault('5000')
    .describe('Waiting for a session of the pool, opening it included; after that the answer is 503.'),
  databaseStatementTimeoutMs: timeoutMs()
    .prefault('10000')
    .describe('One statement of a request, and a lock it waits for; after that the answer is 503.'),
  databaseLockTimeoutMs: timeoutMs().prefault('5000'),
  databaseExportStatementTimeoutMs: timeoutMs().prefault('60000').describe('One batch of rows of an export.'),
  databaseMigrationStatementTimeoutMs: timeoutMs()
    .prefault('1800000')
    .describe('One statement of a migration, and the lock, which another instance holds while it migrates.'),
  databaseMigrationLockTimeoutMs: timeoutMs().prefault('60000'),
});

/** The values of {@link DATABASE_LIMITS}. */
export type DatabaseLimits = z.output<typeof DATABASE_LIMITS>;

export function databaseSettings(env: DatabaseLimits): DatabaseSettings {
  const request = {
    statementTimeoutMs: env.databaseStatementTimeoutMs,
    lockTimeoutMs: env.databaseLockTimeoutMs,
    idleInTransactionTimeoutMs: 30_000,
  };
  // Syncs, deriving histories again, and deleting people, connections and accounts.
  const background = { ...request, statementTimeoutMs: 600_000, lockTimeoutMs: 60_000 };
  const exporting = {
    ...request,
    statementTimeoutMs: env.databaseExportStatementTimeoutMs,
    // A pause while the client reads.
    idleInTransactionTimeoutMs: 120_000,
  };
  const migration = {
    statementTimeoutMs: env.databaseMigrationStatementTimeoutMs,
    lockTimeoutMs: env.databaseMigrationLockTimeoutMs,
    // The session with the migration lock is idle in its transaction while the other one migrates.
    idleInTransactionTimeoutMs: MAX_TIMEOUT_MS,
  };
  return {
    poolMax: env.databasePoolMax,
    connectTimeoutMs: env.databaseConnectTimeoutMs,
    limits: { request, background, export: exporting, migration },
  };
}
