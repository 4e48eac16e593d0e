/** How long the service waits for PostgreSQL in a test: on a busy machine only what never ends takes so long. */
const LIMIT_MS = '120000';

/** Limits in real time are for those who wait for an answer. A test that is about a limit sets it itself. */
export const BUSY_MACHINE_LIMITS = {
  DATABASE_CONNECT_TIMEOUT_MS: LIMIT_MS,
  DATABASE_STATEMENT_TIMEOUT_MS: LIMIT_MS,
  DATABASE_LOCK_TIMEOUT_MS: LIMIT_MS,
  DATABASE_EXPORT_STATEMENT_TIMEOUT_MS: LIMIT_MS,
};
