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
