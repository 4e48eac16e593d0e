/** One session listens for this process, another one for the job queue. */
const LISTENER_SESSIONS = 2;
/** The job queue's statements are short; its jobs use the pool of entities. */
const JOB_SESSIONS = 3;
/** Of all sessions, the part for prepared statements: each holds a session for one short statement. */
const PREPARED_PART = 1 / 5;
const MIN_PREPARED_SESSIONS = 2;
/** Of the entity pool, kept for requests while every worker writes. */
const REQUEST_SESSIONS = 2;

/** How the pools of one instance share its sessions. */
export interface PoolSizes {
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

/** How many sessions an instance needs at least, so that its workers leave some to requests. */
export function minPoolMax(syncConcurrency: number): number {
  let poolMax = syncConcurrency;
  while (poolSizes(poolMax).entities < syncConcurrency + REQUEST_SESSIONS) poolMax++;
  return poolMax;
}
