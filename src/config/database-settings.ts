/** What a session of the database is used for. Each kind has limits of its own. */
export type SessionUse = 'request' | 'background' | 'export' | 'migration';

/** What PostgreSQL enforces in a session. */
export interface SessionLimits {
  statementTimeoutMs: number;
  lockTimeoutMs: number;
  idleInTransactionTimeoutMs: number;
}

/** How many sessions this instance opens, and how long it waits for any of them. */
export interface DatabaseSettings {
  /** Of all pools and listeners together. */
  poolMax: number;
  /** Of opening one session. */
  connectTimeoutMs: number;
  /** Of waiting for a session of a pool, opening it included. */
  acquireTimeoutMs: number;
  limits: Readonly<Record<SessionUse, SessionLimits>>;
}
