const LISTENER_SESSIONS = 1;
/** For the short statements of the job queue; its jobs use MikroORM's pool. */
const JOB_SESSIONS = 3;
const MAX_EXPORTS = 5;
/** Sessions of the plain pool that no export holds. */
const MIN_LIST_SESSIONS = 2;
/** Sessions of MikroORM's pool that are left for requests while every worker writes; exports have others. */
const REQUEST_SESSIONS = 1;

/** The sizes of the pools of one instance. */
interface PoolSizes {
  /** MikroORM's pool: entities, transactions, syncs. */
  entities: number;
  /** The plain pool: prepared statements and exports. */
  plain: number;
  /** How many sessions of the plain pool exports hold at most. */
  exports: number;
  jobs: number;
}

/** @param poolMax all sessions of one instance, the listener included */
export function poolSizes(poolMax: number): PoolSizes {
  const exports = Math.min(MAX_EXPORTS, Math.floor(poolMax / 4));
  const plain = exports + Math.max(MIN_LIST_SESSIONS, Math.floor(poolMax / 10));
  return { entities: poolMax - LISTENER_SESSIONS - JOB_SESSIONS - plain, plain, exports, jobs: JOB_SESSIONS };
}

/** The least number of sessions with which the workers leave some to requests. */
export function minPoolMax(syncConcurrency: number): number {
  let poolMax = syncConcurrency;
  while (poolSizes(poolMax).entities < syncConcurrency + REQUEST_SESSIONS) poolMax++;
  return poolMax;
}
