import { MAX_TIMEOUT_MS, type Variables } from './variables.js';

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
  /** With the replica; they are not among the others. */
  replicaPoolMax: number;
  /** Of opening one session. */
  connectTimeoutMs: number;
  /** Of waiting for a session of a pool, opening it included. */
  acquireTimeoutMs: number;
  limits: Readonly<Record<SessionUse, SessionLimits>>;
}

const LISTENER_SESSIONS = 1;
/** For the short statements of the job queue; its jobs use the entity pool. */
const JOB_SESSIONS = 3;
/** The share of all sessions for prepared statements, which are short. */
const PREPARED_PART = 1 / 5;
const MIN_PREPARED_SESSIONS = 2;
/** Sessions of the entity pool that are left for requests while every worker writes. */
const REQUEST_SESSIONS = 2;

/** The sizes of the pools of one instance. */
interface PoolSizes {
  /** MikroORM's pool: entities, transactions, lists and exports. */
  entities: number;
  prepared: number;
  jobs: number;
}

/** @param poolMax all sessions of one instance, the listener included */
export function poolSizes(poolMax: number): PoolSizes {
  const prepared = Math.max(MIN_PREPARED_SESSIONS, Math.floor(poolMax * PREPARED_PART));
  return { entities: poolMax - LISTENER_SESSIONS - JOB_SESSIONS - prepared, prepared, jobs: JOB_SESSIONS };
}

/** The least number of sessions with which the workers leave some to requests. */
export function minPoolMax(syncConcurrency: number): number {
  let poolMax = syncConcurrency;
  while (poolSizes(poolMax).entities < syncConcurrency + REQUEST_SESSIONS) poolMax++;
  return poolMax;
}

export function databaseSettings(env: Variables): DatabaseSettings {
  const request = {
    statementTimeoutMs: env.DATABASE_STATEMENT_TIMEOUT_MS,
    lockTimeoutMs: env.DATABASE_LOCK_TIMEOUT_MS,
    idleInTransactionTimeoutMs: env.DATABASE_IDLE_IN_TRANSACTION_TIMEOUT_MS,
  };
  const background = {
    ...request,
    statementTimeoutMs: env.DATABASE_BACKGROUND_STATEMENT_TIMEOUT_MS,
    lockTimeoutMs: env.DATABASE_BACKGROUND_LOCK_TIMEOUT_MS,
  };
  const exporting = {
    ...request,
    statementTimeoutMs: env.DATABASE_EXPORT_STATEMENT_TIMEOUT_MS,
    idleInTransactionTimeoutMs: env.DATABASE_EXPORT_IDLE_TIMEOUT_MS,
  };
  const migration = {
    ...request,
    statementTimeoutMs: env.DATABASE_MIGRATION_STATEMENT_TIMEOUT_MS,
    lockTimeoutMs: env.DATABASE_MIGRATION_LOCK_TIMEOUT_MS,
    // The session with the migration lock is idle in its transaction while the other one migrates.
    idleInTransactionTimeoutMs: MAX_TIMEOUT_MS,
  };
  return {
    poolMax: env.DATABASE_POOL_MAX,
    replicaPoolMax: env.DATABASE_REPLICA_POOL_MAX,
    connectTimeoutMs: env.DATABASE_CONNECT_TIMEOUT_MS,
    acquireTimeoutMs: env.DATABASE_ACQUIRE_TIMEOUT_MS,
    limits: { request, background, export: exporting, migration },
  };
}
