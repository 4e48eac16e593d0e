import { AsyncLocalStorage } from 'node:async_hooks';
import type { Socket } from 'node:net';
import pg from 'pg';
import type { DatabaseSettings, SessionLimits, SessionUse } from '../../platform/config/database-settings.js';
import { clientConfig, type DatabaseAddress, sharesSessions } from '../address.js';

/** Time for PostgreSQL to report its own timeout; after that the server or the network counts as frozen. */
const ANSWER_MARGIN_MS = 2_000;
const END_TIMEOUT_MS = 1_000;
/** The message of pg for an answer that is late. */
export const READ_TIMEOUT = 'Query read timeout';
const BEGIN = /^(begin|start transaction)\b/i;

/**
 * In the startup packet: they take precedence over the settings of the database and of its user. As parameters of their
 * own, because poolers that share sessions keep these for each client, and refuse `options`.
 */
const STARTUP_PARAMETERS = { DateStyle: 'ISO, YMD', TimeZone: 'UTC', standard_conforming_strings: 'on' };

const currentUse = new AsyncLocalStorage<SessionUse>();

/** Runs `work`. The transactions that it begins have the limits of `use`; everything else has those of its session. */
export function usingSessionsFor<T>(use: SessionUse, work: () => T): T {
  return currentUse.run(use, work);
}

/** How long the client waits for the answer to one statement. */
export function answerTimeoutMs({ statementTimeoutMs }: SessionLimits): number {
  return statementTimeoutMs + ANSWER_MARGIN_MS;
}

/** The limits of a session by its use. A session without them is used like a plain one. */
interface LimitedBy {
  limits: DatabaseSettings['limits'];
  use: SessionUse;
  /** Others use the session, too: only transactions can be limited. */
  isShared: boolean;
}

interface SessionConfig extends pg.PoolConfig {
  limitedBy?: LimitedBy;
}

/** The configuration of all sessions of the process, for a pool or a client. */
export function sessionConfig(
  address: DatabaseAddress,
  { connectTimeoutMs, limits }: DatabaseSettings,
  use: SessionUse = 'request',
): SessionConfig {
  return {
    ...clientConfig(address),
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: answerTimeoutMs(limits[use]),
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    limitedBy: { limits, use, isShared: sharesSessions(address) },
    Client: BoundedClient as unknown as new () => pg.ClientBase,
    // pg-pool awaits it, which its types do not say.
    onConnect: ((session: BoundedClient) => session.limit()) as unknown as (session: pg.ClientBase) => void,
  };
}

/** `pg` has the first method, and its types do not; the second has a dozen overloads. */
interface UntypedClient {
  getStartupConf(): Record<string, string>;
  query(...call: unknown[]): unknown;
}

const client = pg.Client.prototype as unknown as UntypedClient;

type GiveBack = (error?: Error | boolean) => void;

/**
 * A session that reads and writes dates, instants and texts in one form, whatever the settings of the database, that is given
 * up when an answer is late, and that leaves its pool when it ends, whoever holds it.
 */
export class BoundedClient extends pg.Client {
  readonly #limitedBy: LimitedBy | null;
  #release: GiveBack = () => undefined;

  constructor(config: SessionConfig) {
    super(config);
    this.#limitedBy = config.limitedBy ?? null;
    this.once('end', () => this.#release(true));
  }

  /**
   * Set by the pool for each holder. Kysely never releases a session whose transaction cannot begin or be rolled back,
   * so the end of the session does it; a release after that does nothing.
   */
  get release(): GiveBack {
    return this.#release;
  }

  set release(release: GiveBack) {
    let isHeld = true;
    this.#release = (error) => {
      if (!isHeld) return;
      isHeld = false;
      release(error);
    };
  }

  getStartupConf(): Record<string, string> {
    return { ...client.getStartupConf.call(this), ...STARTUP_PARAMETERS };
  }

  /** Sets the limits of an open session. As a statement, because poolers refuse unknown startup parameters. */
  async limit(): Promise<void> {
    if (!this.#limitedBy || this.#limitedBy.isShared) return;
    const { limits, use } = this.#limitedBy;
    await super.query(settingsOf(limits[use], false));
  }

  /** A frozen server closes no session, and is silent for longer than any statement may take. */
  endAfterSilence(ms: number): void {
    const stream = this.connection.stream as Socket;
    stream.setTimeout(ms, () => stream.destroy(new Error(READ_TIMEOUT)));
  }

  override query(...[statement, ...rest]: unknown[]): never {
    const answer = client.query.call(this, this.#limited(statement), ...rest);
    if (answer instanceof Promise) {
      answer.catch(({ message }: Error) => {
        // The server may still work on the statement.
        if (message === READ_TIMEOUT) void this.end();
      });
    }
    return answer as never;
  }

  override end(done?: (error: Error) => void): Promise<void> & void {
    // A frozen server never confirms it.
    const timer = setTimeout(() => this.connection.stream.destroy(), END_TIMEOUT_MS).unref();
    this.once('end', () => clearTimeout(timer));
    return (done ? super.end(done) : super.end()) as Promise<void> & void;
  }

  #limited(statement: unknown): unknown {
    if (typeof statement !== 'string' || !this.#limitedBy) return statement;
    const { limits, use: ownUse, isShared } = this.#limitedBy;
    const use = currentUse.getStore() ?? ownUse;
    if (use === ownUse && !isShared) return statement;
    const text = BEGIN.test(statement) ? `${statement}; ${settingsOf(limits[use], true)}` : statement;
    return { text, query_timeout: answerTimeoutMs(limits[use]) };
  }
}

/** @param isLocal until the end of the transaction. One statement in place of three, for all that transactions begin with it. */
function settingsOf(limits: SessionLimits, isLocal: boolean): string {
  const values = {
    statement_timeout: limits.statementTimeoutMs,
    lock_timeout: limits.lockTimeoutMs,
    idle_in_transaction_session_timeout: limits.idleInTransactionTimeoutMs,
  };
  return `select ${Object.entries(values)
    .map(([name, ms]) => `set_config('${name}', '${ms}', ${isLocal})`)
    .join(', ')}`;
}
