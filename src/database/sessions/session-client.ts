import pg from 'pg';
import type { SessionLimits } from '../../config/database-settings.js';

/** Time for PostgreSQL to report its own timeout; after that the server or the network counts as frozen. */
const ANSWER_MARGIN_MS = 2_000;
/** A frozen server never confirms that a session has ended. */
const END_TIMEOUT_MS = 1_000;
const READ_TIMEOUT = 'Query read timeout';
/** After a failed begin or rollback the state of the session is unknown. */
const BEGIN = /^(begin|start transaction)\b/i;
const TRANSACTION_CONTROL = /^(begin|start transaction|rollback)\b/i;

export interface SessionClientConfig extends pg.ClientConfig {
  /** Of opening the session; `connectionTimeoutMillis` is the pool's limit for acquiring one. */
  connectTimeoutMs: number;
  /** Whether a pooler shares the server's sessions between transactions. Default: no. */
  sharesSessions?: boolean;
}

/** How long the client waits for the answer to one statement. */
export function answerTimeoutMs({ statementTimeoutMs }: SessionLimits): number {
  return statementTimeoutMs + ANSWER_MARGIN_MS;
}

/**
 * A session that cannot hang. PostgreSQL enforces the limits of statements and locks. If the server is frozen or
 * unreachable, the client stops waiting and ends the session.
 */
export class SessionClient extends pg.Client {
  #limits: SessionLimits | null = null;
  readonly #sharesSessions: boolean;

  constructor(config: SessionClientConfig) {
    // The pool makes the password non-enumerable, so a spread loses it.
    super({ ...config, password: config.password, connectionTimeoutMillis: config.connectTimeoutMs });
    this.#sharesSessions = config.sharesSessions ?? false;
    const query = this.query.bind(this) as (...call: unknown[]) => unknown;
    this.query = ((...call: unknown[]) => {
      const result = query(...this.#withLimits(call));
      if (result instanceof Promise) result.catch((error: unknown) => this.#endAfter(error, call[0]));
      return result;
    }) as typeof this.query;
  }

  /** Sets the limits of the session unless they are set already. */
  async limitTo(limits: SessionLimits): Promise<void> {
    if (this.#limits === limits) return;
    this.#limits = null;
    (this as unknown as { connectionParameters: pg.ClientConfig }).connectionParameters.query_timeout =
      answerTimeoutMs(limits);
    // As a statement, because poolers refuse unknown startup parameters.
    if (!this.#sharesSessions) await this.query(settingsOf(limits, 'set'));
    this.#limits = limits;
  }

  /** In a shared session each transaction sets its own limits, because others use the session, too. */
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
