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
  /** All sessions of this instance, listeners included. */
  poolMax: number;
  /** With the replica; they are not among the others. */
  replicaPoolMax: number;
  /** Of opening one session. */
  connectTimeoutMs: number;
  /** Of waiting for a session of a pool, opening it included. */
  acquireTimeoutMs: number;
  limits: Readonly<Record<SessionUse, SessionLimits>>;
}

/** One for this process and one for the job queue. */
const LISTENER_SESSIONS = 2;
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

/** @param poolMax all sessions of one instance, listeners included */
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
