import type { SessionLimits, SessionUse } from './session-limits.js';

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
