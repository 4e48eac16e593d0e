import { AsyncLocalStorage } from 'node:async_hooks';
import type pg from 'pg';
import { clientConfig, type DatabaseAddress, sharesSessions } from '../address.js';
import type { DatabaseSettings, SessionUse } from '../../config/database-settings.js';
import { refuseSecondSession } from './held-session.js';
import { answerTimeoutMs, SessionClient, type SessionClientConfig } from './session-client.js';
import { Injectable } from '@nestjs/common';

/** How long running statements may take when the pool ends. */
const DRAIN_TIMEOUT_MS = 5_000;

const currentUse = new AsyncLocalStorage<SessionUse>();

/** Runs `work`. The sessions that it acquires get the limits of `use`; others get those of a request. */
export function usingSessionsFor<T>(use: SessionUse, work: () => T): T {
  return currentUse.run(use, work);
}

/** The configuration of all sessions of the process. */
export function sessionConfig(address: DatabaseAddress, settings: DatabaseSettings): SessionClientConfig {
  return { ...clientConfig(address), ...waitLimits(settings), sharesSessions: sharesSessions(address) };
}

/** The client-side limits of sessions and of the pool that opens them. */
function waitLimits(settings: DatabaseSettings) {
  return {
    connectTimeoutMs: settings.connectTimeoutMs,
    connectionTimeoutMillis: settings.acquireTimeoutMs,
    query_timeout: answerTimeoutMs(settings.limits.request),
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    // pg-pool passes the configuration on, which its types do not say.
    Client: SessionClient as unknown as new () => pg.ClientBase,
  };
}

/**
 * Makes a pool limit its sessions by their use, refuse a second session inside a transaction, drop dead sessions, and
 * end in time.
 */
export function governPool(
  pool: pg.Pool,
  settings: DatabaseSettings,
  currentUserId = () => null as string | null,
): void {
  const { limits } = settings;
  const held = new Set<SessionClient & pg.PoolClient>();
  const shares = new SessionShares(Math.ceil(pool.options.max / 2), settings.acquireTimeoutMs);
  const connect = pool.connect.bind(pool) as () => Promise<SessionClient & pg.PoolClient>;

  const acquire = async () => {
    refuseSecondSession();
    const wanted = limits[currentUse.getStore() ?? 'request'];
    const giveBack = await shares.take(currentUserId());
    const session = await connect().catch((error: unknown) => {
      giveBack();
      throw error;
    });
    held.add(session);
    const release = session.release.bind(session);
    // Kysely never releases a session whose transaction fails to begin or to roll back. We release dead sessions, so a
    // second release must do nothing.
    session.release = (error) => {
      if (!held.delete(session)) return;
      giveBack();
      release(error);
    };
    try {
      await session.limitTo(wanted);
      return session;
    } catch (error) {
      session.release(true);
      throw error;
    }
  };

  // A session that came too late for whoever waited for it was given back by the pool itself and is not held.
  pool.on('connect', (client) => {
    const session = client as SessionClient & pg.PoolClient;
    session.on('end', () => held.has(session) && session.release(true));
  });
  pool.connect = ((
    done?: (error: Error | undefined, session?: pg.PoolClient, release?: (error?: Error) => void) => void,
  ) => {
    if (!done) return acquire();
    acquire().then(
      (session) => done(undefined, session, (error) => session.release(error)),
      (error: Error) => done(error, undefined, () => undefined),
    );
    return undefined;
  }) as typeof pool.connect;

  const end = pool.end.bind(pool);
  pool.end = async () => {
    const cutOff = setTimeout(() => held.forEach((session) => void session.end()), DRAIN_TIMEOUT_MS);
    await end().finally(() => clearTimeout(cutOff));
  };
}

/** The pool's own message for a timeout, so that both are handled alike. */
const TIMEOUT = 'timeout exceeded when trying to connect';

interface Share {
  held: number;
  readonly waiting: (() => void)[];
}

/** Bounds how many sessions one person's requests hold at a time, so that others find one. The rest waits in turn. */
export class SessionShares {
  readonly #shares = new Map<string, Share>();

  constructor(
    private readonly size: number,
    private readonly waitMs: number,
  ) {}

  /**
   * @param person `null`: the work is no person's request and has no limit
   * @returns releases the place; call it once
   * @throws Error after waiting for too long
   */
  async take(person: string | null): Promise<() => void> {
    if (person === null) return () => undefined;
    const share = this.#shares.get(person) ?? { held: 0, waiting: [] };
    this.#shares.set(person, share);
    if (share.held < this.size) share.held++;
    else await this.#wait(share);
    return () => this.#giveBack(person, share);
  }

  async #wait({ waiting }: Share): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const start = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(start), 1);
        reject(new Error(TIMEOUT));
      }, this.waitMs);
      waiting.push(start);
    });
  }

  /** The next one takes over the place. */
  #giveBack(person: string, share: Share): void {
    const next = share.waiting.shift();
    if (next) return next();
    if (--share.held === 0) this.#shares.delete(person);
  }
}

interface PoolUsage {
  pool: string;
  used: number;
  idle: number;
  /** Callers waiting for a session. */
  waiting: number;
}

/** The pools of one instance, for metrics. */
@Injectable()
export class DatabasePools {
  readonly #pools = new Map<string, pg.Pool>();

  /** @param currentUserId whose request the calling code serves; `null`: nobody's */
  constructor(readonly currentUserId: () => string | null = () => null) {}

  add(name: string, pool: pg.Pool): void {
    this.#pools.set(name, pool);
  }

  usage(): PoolUsage[] {
    return [...this.#pools].map(([pool, { totalCount, idleCount, waitingCount }]) => {
      return { pool, used: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
    });
  }
}
