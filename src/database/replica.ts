import { EntityManager } from '@mikro-orm/postgresql';
import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Config } from '../config/config.js';
import { unlessAborted } from '../time/abort-scope.js';
import { DATABASE_ADDRESS, type DatabaseAddress, replicaUrlOf } from './address.js';
import { wouldWait } from './sessions/session-pool.js';

/** How often a replica that failed is probed. Nothing is read from it meanwhile. */
const PROBE_MS = 5_000;

/** Classes of SQLSTATE that mean a failing server, and no failing statement or conflict with the replay. */
const OF_SERVER = /^(08|53|57P|58|XX)/;
/** Errors of Node.js and of pg, which have no such code. */
const OF_SOCKET = /^E[A-Z]+$/;
const OF_SESSION = /^(Connection terminated|Query read timeout|Client (was closed|has encountered a connection error))/;

/** Also reads a table of ours, so that it fails on the replica of another database. */
const IS_REPLICA = 'select pg_is_in_recovery() as is_replica, (select max(revision) from user_revisions where false)';

/** Why nothing was read from the replica. */
type Unread = 'behind' | 'busy' | 'failed' | 'away';

type ReplicaRead<T> = { answer: T } | { unread: Unread };

export type ReplicaConnection = ReturnType<EntityManager['getConnection']>;

/** The replica has not replayed yet what the reader needs. It stays in use. */
export class BehindError extends Error {}

/**
 * The server in `DATABASE_REPLICA_URL`. If it fails, its readers use the primary. They wait for it no longer than for a
 * new session. After a failure it is not used until it answers a probe as a replica.
 */
@Injectable()
export class Replica implements OnApplicationShutdown {
  readonly isSet: boolean;
  readonly #log = new Logger(Replica.name);
  readonly #answerMs: number;
  #isAway = false;
  #probing: NodeJS.Timeout | undefined;
  #isStopping = false;

  constructor(
    @Inject(DATABASE_ADDRESS) address: DatabaseAddress,
    private readonly em: EntityManager,
    { database }: Config,
  ) {
    this.isSet = replicaUrlOf(address) !== null;
    this.#answerMs = database.connectTimeoutMs;
  }

  /**
   * Reads from the replica, or says why nothing was read.
   *
   * @param read calls `confirm` once its session is known to be one of a replica
   */
  async read<T>(read: (connection: ReplicaConnection, confirm: () => void) => Promise<T>): Promise<ReplicaRead<T>> {
    if (this.#isAway) return { unread: 'away' };
    const connection = this.em.getConnection('read');
    // Waiting for a session of it would take longer than reading from the primary.
    if (wouldWait(await connection.getNativeClient())) return { unread: 'busy' };
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(new Error('no answer in time')), this.#answerMs);
    let isConfirmed = false;
    const confirm = () => {
      // The reader uses the primary already.
      late.signal.throwIfAborted();
      clearTimeout(timer);
      isConfirmed = true;
    };
    try {
      return { answer: await unlessAborted(late.signal, read(connection, confirm)) };
    } catch (error) {
      if (error instanceof BehindError) return { unread: 'behind' };
      // An error that a caller can provoke must not take the replica from others.
      if (isConfirmed && !isLost(error as Error)) return { unread: 'failed' };
      this.#leaveAlone(error as Error);
      return { unread: 'away' };
    } finally {
      clearTimeout(timer);
    }
  }

  onApplicationShutdown(): void {
    this.#isStopping = true;
    clearTimeout(this.#probing);
  }

  #leaveAlone({ message }: Error): void {
    if (this.#isAway || this.#isStopping) return;
    this.#isAway = true;
    this.#log.warn(`The replica does not answer (${message}); lists are read from the primary.`);
    this.#probeSoon();
  }

  #probeSoon(): void {
    if (!this.#isStopping) this.#probing = setTimeout(() => void this.#probe(), PROBE_MS).unref();
  }

  async #probe(): Promise<void> {
    const isReplica = await this.#isReplica().catch(() => false);
    if (!isReplica) return this.#probeSoon();
    this.#isAway = false;
    this.#log.log('The replica is used again.');
  }

  async #isReplica(): Promise<boolean> {
    const pool = await this.em.getConnection('read').getNativeClient();
    const { rows } = await pool.query<{ is_replica: boolean }>(IS_REPLICA);
    return rows[0]!.is_replica;
  }
}

/** Whether the session was lost, and not only its statement failed. */
function isLost({ code = '', severity = 'ERROR', message }: Error & { code?: string; severity?: string }): boolean {
  return severity !== 'ERROR' || OF_SERVER.test(code) || OF_SOCKET.test(code) || OF_SESSION.test(message);
}
