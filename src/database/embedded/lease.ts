import type pg from 'pg';
import { SESSION_NAME } from '../address.js';
import { BoundedClient } from '../sessions/bounded-client.js';
import { waitUntil } from '../wait-until.js';

/** Any numbers that no other program takes as its advisory locks in this database. */
const LEASE_LOCK = 7_302_772;
const LEAVE_LOCK = 7_302_773;
const CONNECT_TIMEOUT_MS = 10_000;
const LOCK_TIMEOUT_MS = 10_000;
/** Of any statement; a slow disk may need some seconds for a new database. */
const ANSWER_TIMEOUT_MS = 60_000;
/** How long to wait for other programs. */
const CLIENTS_LEAVE_MS = 3_000;
const POLL_MS = 50;

/** `pg` has these; its types do not. */
interface Referenced {
  ref(): void;
  unref(): void;
}

/**
 * One process's use of the embedded server: an open session that holds a shared lock. It ends with the process or the
 * server, also after a crash.
 */
export class Lease {
  #isHeld = true;
  /** Resolves when the session has ended. */
  readonly ended: Promise<void>;

  private constructor(readonly session: pg.Client) {
    // Without a listener the event would end the process; 'end' follows.
    session.on('error', () => undefined);
    this.ended = new Promise((resolve) => {
      session.on('end', () => {
        this.#isHeld = false;
        resolve();
      });
    });
  }

  static async open(server: pg.ClientConfig): Promise<Lease> {
    const session: pg.Client = new BoundedClient({
      ...server,
      application_name: `${SESSION_NAME} lease`,
      lock_timeout: LOCK_TIMEOUT_MS,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: ANSWER_TIMEOUT_MS,
    });
    const lease = new Lease(session);
    await session.connect();
    try {
      await session.query('select pg_advisory_lock_shared($1)', [LEASE_LOCK]);
      return lease;
    } catch (error) {
      await lease.end();
      throw error;
    }
  }

  get isHeld(): boolean {
    return this.#isHeld;
  }

  /** Lets the process end although the lease is open. */
  unref(): void {
    (this.session as unknown as Referenced).unref();
  }

  /**
   * Whether no other process uses the server; otherwise releases the lease. A lock makes stopping processes ask one
   * after the other, so that the last one knows it.
   *
   * @param forced once aborted, other programs do not count
   */
  async isLast(forced: AbortSignal): Promise<boolean> {
    (this.session as unknown as Referenced).ref();
    await this.session.query('select pg_advisory_lock($1)', [LEAVE_LOCK]);
    // Held until the session ends: a process that connects now waits, then gets its lease or restarts the server.
    const { rows } = await this.session.query<{ last: boolean }>('select pg_try_advisory_lock($1) as last', [
      LEASE_LOCK,
    ]);
    if (rows[0]!.last) return this.#othersLeave(forced);
    await this.session.query('select pg_advisory_unlock_shared($1)', [LEASE_LOCK]);
    await this.session.query('select pg_advisory_unlock($1)', [LEAVE_LOCK]);
    return false;
  }

  async end(): Promise<void> {
    if (this.#isHeld) await this.session.end().catch(() => undefined);
  }

  /**
   * Waits for other programs, such as a `psql`. Sessions of Tidemark do not count: without a lease they are what a process
   * that has ended leaves behind, and on a busy machine a statement of it may take longer than the wait.
   */
  async #othersLeave(forced: AbortSignal): Promise<boolean> {
    const haveLeft = async () => {
      const { rowCount } = await this.session.query(
        `select 1 from pg_stat_activity
         where backend_type = 'client backend' and pid <> pg_backend_pid() and not starts_with(application_name, $1)`,
        [SESSION_NAME],
      );
      return rowCount === 0 || forced.aborted;
    };
    return waitUntil(haveLeft, CLIENTS_LEAVE_MS, POLL_MS);
  }
}
