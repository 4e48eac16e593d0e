import { Injectable, Logger } from '@nestjs/common';
import pg from 'pg';
import { isInTransaction, refuseSecondSession } from './held-session.js';

export interface SessionPoolConfig extends pg.PoolConfig {
  /** Whose request the calling code serves, so that nobody's requests hold all sessions; `null`: nobody's. */
  currentUserId?: () => string | null;
}

/** A pool that refuses a second session inside a transaction, and bounds how many sessions one person's requests hold. */
export class SessionPool extends pg.Pool {
  readonly #log = new Logger(SessionPool.name);
  readonly #currentUserId: () => string | null;
  readonly #shares: SessionShares;
  readonly #places = new Map<pg.ClientBase, () => void>();

  constructor({ currentUserId = () => null, ...config }: SessionPoolConfig) {
    super(config);
    this.#currentUserId = currentUserId;
    const { max, connectionTimeoutMillis = 0 } = this.options;
    this.#shares = new SessionShares(Math.max(1, Math.floor(max / 3)), connectionTimeoutMillis);
    this.on('error', ({ message }) => this.#log.warn(`A session with the database was lost: ${message}`));
    // The statement under way fails by itself; without a listener the event would end the process.
    this.on('connect', (session) => session.on('error', () => undefined));
    this.on('release', (_, session) => {
      this.#places.get(session)?.();
      this.#places.delete(session);
    });
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(
    done: (error: Error | undefined, session: pg.PoolClient | undefined, release: (error?: Error) => void) => void,
  ): void;
  override connect(
    done?: (error: Error | undefined, session: pg.PoolClient | undefined, release: (error?: Error) => void) => void,
  ): Promise<pg.PoolClient> | void {
    const person = this.#currentUserId();
    // Nobody's share: the way of pg, without the promises of ours.
    if (person === null && !isInTransaction()) return done ? super.connect(done) : super.connect();
    const acquired = this.#acquire(person);
    if (!done) return acquired;
    acquired.then(
      (session) => done(undefined, session, (error) => session.release(error)),
      (error: Error) => done(error, undefined, () => undefined),
    );
  }

  async #acquire(person: string | null): Promise<pg.PoolClient> {
    refuseSecondSession();
    const giveBack = await this.#shares.take(person);
    try {
      const session = await super.connect();
      this.#places.set(session, giveBack);
      return session;
    } catch (error) {
      giveBack();
      throw error;
    }
  }
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

  add(name: string, pool: pg.Pool): void {
    this.#pools.set(name, pool);
  }

  usage(): PoolUsage[] {
    return [...this.#pools].map(([pool, { totalCount, idleCount, waitingCount }]) => {
      return { pool, used: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
    });
  }
}
