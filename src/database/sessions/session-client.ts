import pg from 'pg';
import type { SessionLimits } from '../../config/database-settings.js';

/** PostgreSQL gets this long to report its own timeout; after that the server or the network is taken for frozen. */
const ANSWER_MARGIN_MS = 2_000;
/** A frozen server never confirms that a session has ended. */
const END_TIMEOUT_MS = 1_000;
const READ_TIMEOUT = 'Query read timeout';
/** A session whose transaction may or may not have begun or ended is of no use any more. */
const BEGIN = /^(begin|start transaction)\b/i;
const TRANSACTION_CONTROL = /^(begin|start transaction|rollback)\b/i;

export interface SessionClientConfig extends pg.ClientConfig {
  /** Of opening the session; `connectionTimeoutMillis` is the pool's limit for acquiring one. */
  connectTimeoutMs: number;
  /** Whether a pooler gives the server's session to others between transactions. Default: no. */
  sharesSessions?: boolean;
}

/** How long the client waits for the answer to one statement. */
export function answerTimeoutMs({ statementTimeoutMs }: SessionLimits): number {
  return statementTimeoutMs + ANSWER_MARGIN_MS;
}

/**
 * A session that cannot hang. PostgreSQL enforces the limits of statements and locks; where it is frozen or cut off, the
 * client stops waiting and gives the session up.
 */
export class SessionClient extends pg.Client {
  #limits: SessionLimits | null = null;
  readonly #sharesSessions: boolean;

  constructor(config: SessionClientConfig) {
    // pg-pool hides the password from enumeration, so a spread alone would lose it.
    super({ ...config, password: config.password, connectionTimeoutMillis: config.connectTimeoutMs });
    this.#sharesSessions = config.sharesSessions ?? false;
    const query = this.query.bind(this) as (...call: unknown[]) => unknown;
    this.query = ((...call: unknown[]) => {
      const result = query(...this.#withLimits(call));
      if (result instanceof Promise) result.catch((error: unknown) => this.#endAfter(error, call[0]));
      return result;
    }) as typeof this.query;
  }

  /** Gives the session its limits, unless it has them already. */
  async limitTo(limits: SessionLimits): Promise<void> {
    if (this.#limits === limits) return;
    this.#limits = null;
    (this as unknown as { connectionParameters: pg.ClientConfig }).connectionParameters.query_timeout =
      answerTimeoutMs(limits);
    // By statement and not at startup: poolers refuse startup parameters that they do not know.
    if (!this.#sharesSessions) await this.query(settingsOf(limits, 'set'));
    this.#limits = limits;
  }

  /** What is set in a shared session would be set for others, too: a transaction sets its limits for itself. */
  #withLimits([statement, ...rest]: unknown[]): unknown[] {
    if (!this.#sharesSessions || !this.#limits || typeof statement !== 'string' || !BEGIN.test(statement)) {
      return [statement, ...rest];
    }
    return [`${statement}; ${settingsOf(this.#limits, 'set local')}`, ...rest];
  }

  override end(callback?: (error: Error) => void): Promise<void> & void {
    const timer = setTimeout(() => this.connection.stream.destroy(), END_TIMEOUT_MS).unref();
    this.once('end', () => clearTimeout(timer));
    return (callback ? super.end(callback) : super.end()) as Promise<void> & void;
  }

  #endAfter(error: unknown, statement: unknown): void {
    const isUnusable =
      (error instanceof Error && error.message === READ_TIMEOUT) ||
      (typeof statement === 'string' && TRANSACTION_CONTROL.test(statement));
    if (isUnusable) void this.end();
  }
}

function settingsOf(limits: SessionLimits, set: 'set' | 'set local'): string {
  return (
    `${set} statement_timeout = ${limits.statementTimeoutMs}; ${set} lock_timeout = ${limits.lockTimeoutMs}; ` +
    `${set} idle_in_transaction_session_timeout = ${limits.idleInTransactionTimeoutMs}`
  );
}
