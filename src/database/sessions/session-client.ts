import pg from 'pg';
import type { SessionLimits } from '../../config/database-settings.js';

/** Time for PostgreSQL to report its own timeout; after that the server or the network counts as frozen. */
const ANSWER_MARGIN_MS = 2_000;
/** A frozen server never confirms that a session has ended. */
const END_TIMEOUT_MS = 1_000;
/** The message of pg itself, so that both are handled alike. */
export const READ_TIMEOUT = 'Query read timeout';
const BEGIN = /^(begin|start transaction)\b/i;
/** After a failed begin or rollback the state of the session is unknown. */
const TRANSACTION_CONTROL = /^(begin|start transaction|rollback)\b/i;

type Query = (...call: unknown[]) => unknown;
type Done = (error: Error | null, result?: unknown) => void;

export interface SessionClientConfig extends pg.ClientConfig {
  /** Of opening the session; `connectionTimeoutMillis` is the pool's limit for acquiring one. */
  connectTimeoutMs: number;
  /** How long the client waits for the answer to a statement, until it is limited by its use. */
  query_timeout: number;
  /** Whether a pooler shares the server's sessions between transactions. Default: no. */
  sharesSessions?: boolean;
}

/** How long the client waits for the answer to one statement. */
export function answerTimeoutMs({ statementTimeoutMs }: SessionLimits): number {
  return statementTimeoutMs + ANSWER_MARGIN_MS;
}

/**
 * In the startup packet: they take precedence over the settings of the database and of its user. As parameters of their
 * own, because poolers that share sessions keep these for each client, and refuse `options`.
 */
const STARTUP_PARAMETERS = { DateStyle: 'ISO, YMD', TimeZone: 'UTC', standard_conforming_strings: 'on' };

/** `pg` has this method; its types do not. */
interface StartupPacket {
  getStartupConf(): Record<string, string>;
}

/** A session that reads and writes dates, instants and texts in one form, whatever the settings of the database. */
export class IsoClient extends pg.Client {
  getStartupConf(): Record<string, string> {
    const usual = (pg.Client.prototype as unknown as StartupPacket).getStartupConf.call(this);
    return { ...usual, ...STARTUP_PARAMETERS };
  }
}

/**
 * A session that cannot hang. PostgreSQL enforces the limits of statements and locks. If the server is frozen or
 * unreachable, the client stops waiting and ends the session.
 */
export class SessionClient extends IsoClient {
  #limits: SessionLimits | null = null;
  #answerTimeoutMs: number;
  readonly #sharesSessions: boolean;

  constructor(config: SessionClientConfig) {
    const { password, connectTimeoutMs: connectionTimeoutMillis } = config;
    // The pool makes the password non-enumerable, so a spread loses it. The limit of answers is ours: see `limited`.
    super({ ...config, password, connectionTimeoutMillis, query_timeout: undefined });
    this.#answerTimeoutMs = config.query_timeout;
    this.#sharesSessions = config.sharesSessions ?? false;
    const query = this.query.bind(this) as Query;
    this.query = ((...call: unknown[]) => this.#query(query, this.#withLimits(call))) as typeof this.query;
  }

  /** Sets the limits of the session unless they are set already. */
  async limitTo(limits: SessionLimits): Promise<void> {
    if (this.#limits === limits) return;
    this.#limits = null;
    this.#answerTimeoutMs = answerTimeoutMs(limits);
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

  /** `pg` never settles a connect whose client ends meanwhile. */
  override connect(): Promise<pg.Client>;
  override connect(callback: (error: Error) => void): void;
  override connect(callback?: (error: Error) => void): Promise<pg.Client> | void {
    if (callback) return super.connect(callback);
    const { promise, resolve, reject } = Promise.withResolvers<pg.Client>();
    this.once('end', () => reject(new Error('The session has ended before it was open.')));
    super.connect().then(resolve, reject);
    return promise;
  }

  override end(callback?: (error: Error) => void): Promise<void> & void {
    const timer = setTimeout(() => this.connection.stream.destroy(), END_TIMEOUT_MS).unref();
    this.once('end', () => clearTimeout(timer));
    return (callback ? super.end(callback) : super.end()) as Promise<void> & void;
  }

  #query(query: Query, [statement, values, callback]: unknown[]): unknown {
    if (isSubmittable(statement)) {
      return query(Object.assign(statement, { query_timeout: this.#answerTimeoutMs }), values, callback);
    }
    const given = typeof values === 'function' ? values : callback;
    const parameters = typeof values === 'function' ? undefined : values;
    if (given) return query(statement, parameters, limited(given as Done, this, this.#answerTimeoutMs));
    const result = new Promise((resolve, reject) => {
      const done: Done = (error, rows) => (error ? reject(error) : resolve(rows));
      query(statement, parameters, limited(done, this, this.#answerTimeoutMs));
    });
    return result.catch((error: Error) => {
      if (typeof statement === 'string' && TRANSACTION_CONTROL.test(statement)) void this.end();
      // The stack of the caller instead of that of the socket.
      Error.captureStackTrace(error);
      throw error;
    });
  }
}

function isSubmittable(statement: unknown): statement is pg.Submittable {
  return typeof (statement as Partial<pg.Submittable>).submit === 'function';
}

/**
 * Passes the first result on. Without a result in time it passes an error on and ends the session. `pg` has such a timeout,
 * too, but its closures refer to the whole call, so that V8 keeps the rows of every statement until a major collection.
 */
function limited(done: Done, session: SessionClient, timeoutMs: number): Done {
  let isDone = false;
  const end: Done = (error, result) => {
    if (isDone) return;
    isDone = true;
    clearTimeout(timer);
    done(error, result);
  };
  const timer = setTimeout(() => {
    end(new Error(READ_TIMEOUT));
    void session.end();
  }, timeoutMs);
  return end;
}

function settingsOf(limits: SessionLimits, set: 'set' | 'set local'): string {
  return (
    `${set} statement_timeout = ${limits.statementTimeoutMs}; ${set} lock_timeout = ${limits.lockTimeoutMs}; ` +
    `${set} idle_in_transaction_session_timeout = ${limits.idleInTransactionTimeoutMs}`
  );
}
