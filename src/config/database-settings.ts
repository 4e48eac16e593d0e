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
  /** Of opening one session. */
  connectTimeoutMs: number;
  /** Of waiting for a session of a pool, opening it included. */
  acquireTimeoutMs: number;
  limits: Readonly<Record<SessionUse, SessionLimits>>;
}
