import { EntityManager, IsolationLevel } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { CompiledQuery, type Kysely } from 'kysely';
import type { QueryResultRow } from 'pg';
import { readByCursor, readSnapshot, type Statement } from '../database/cursor.js';
import { type PreparedStatement, PreparedStatements } from '../database/prepared.js';
import { atOneMoment } from '../database/one-moment.js';
import { BehindError, Replica, type ReplicaConnection } from '../database/replica.js';
import { MetricsService } from '../observability/metrics/metrics.service.js';

/** What a list is read from. */
export interface ListSource {
  kysely<Tables>(): Kysely<Tables>;
  query<Row extends QueryResultRow>(statement: PreparedStatement, values: readonly unknown[]): Promise<Row[]>;
}

/**
 * Where a person's log ends: the revision, and when it was written. Two servers with the same pair have the same data of
 * that person, also if one of them was promoted or restored and both wrote a revision of the same number since.
 * Raw, because prepared statements are text.
 */
const POSITION_SQL = `select revision || ' ' || extract(epoch from moved_at) as position from user_revisions where user_id = $1`;

const POSITION = { name: 'log-position', text: POSITION_SQL };

/** The same on the replica; a server that was promoted is none. */
const REPLICA_POSITION = `select pg_is_in_recovery() as is_replica, (${POSITION_SQL}) as position`;

interface ReplicaPosition {
  is_replica: boolean;
  position: string | null;
}

/** Runs a statement in a session of the replica. */
type Run = (text: string, values: readonly unknown[]) => Promise<QueryResultRow[]>;

/** @throws BehindError unless the session has what the primary has */
type Check = (run: Run) => Promise<void>;

/**
 * Reads lists and exports from the replica, if there is one, as long as it has everything that the primary has of the
 * person at the time of the request. Otherwise it reads them from the primary. So everybody reads their own writes.
 */
@Injectable()
export class ListReads {
  readonly #primary: ListSource;

  constructor(
    private readonly em: EntityManager,
    private readonly prepared: PreparedStatements,
    private readonly replica: Replica,
    private readonly metrics: MetricsService,
  ) {
    this.#primary = {
      kysely: <Tables>() => em.getKysely() as unknown as Kysely<Tables>,
      query: (statement, values) => prepared.query(statement, values),
    };
  }

  /**
   * Reads with one statement, or with several that need not be of one moment. In a transaction of the caller it reads
   * there.
   *
   * @param read runs again on the primary if the replica fails
   */
  read<T>(userId: string, read: (source: ListSource) => Promise<T>): Promise<T> {
    return this.#asksReplica() ? this.#readReplica(userId, read, () => read(this.#primary)) : read(this.#primary);
  }

  /** The same with several statements, which read one moment: a total and the rows that it counts. */
  page<T>(userId: string, read: (source: ListSource) => Promise<T>): Promise<T> {
    const fromPrimary = () =>
      atOneMoment(this.em, (em) => read(sourceIn(em.getKysely() as unknown as Kysely<unknown>)));
    return this.#asksReplica() ? this.#readReplica(userId, read, fromPrimary) : fromPrimary();
  }

  /** The rows of a statement in batches. All of them come from the server that has returned the first one. */
  all<Row extends QueryResultRow>(userId: string, statement: Statement): AsyncGenerator<Row[], void> {
    return this.#asksReplica() ? this.#allOfReplica<Row>(userId, statement) : readByCursor<Row>(this.em, statement);
  }

  #asksReplica(): boolean {
    return this.replica.isSet && !this.em.isInTransaction();
  }

  async #readReplica<T>(
    userId: string,
    read: (source: ListSource) => Promise<T>,
    fromPrimary: () => Promise<T>,
  ): Promise<T> {
    const found = await this.#fromReplica(userId, (connection, check) =>
      connection.transactional<T>(
        async (transaction) => {
          const kysely = transaction as unknown as Kysely<unknown>;
          await check((text, values) => rowsOf(kysely, text, values));
          return read(sourceIn(kysely));
        },
        { readOnly: true, isolationLevel: IsolationLevel.REPEATABLE_READ },
      ),
    );
    return found ? found.answer : fromPrimary();
  }

  async *#allOfReplica<Row extends QueryResultRow>(userId: string, statement: Statement): AsyncGenerator<Row[], void> {
    const found = await this.#fromReplica(userId, async (connection, check) => {
      const pool = await connection.getNativeClient();
      const batches = readSnapshot<Row>(pool, [statement], (session) =>
        check(async (text, values) => (await session.query<QueryResultRow>(text, [...values])).rows),
      );
      return { first: await batches.next(), batches };
    });
    if (!found) return yield* readByCursor<Row>(this.em, statement);
    const { first, batches } = found.answer;
    try {
      if (!first.done) yield first.value;
      yield* batches;
    } finally {
      await batches.return();
    }
  }

  /** @returns `null` when it is to be read from the primary */
  async #fromReplica<T>(
    userId: string,
    read: (connection: ReplicaConnection, check: Check) => Promise<T>,
  ): Promise<{ answer: T } | null> {
    const [primary] = await this.prepared.query<{ position: string }>(POSITION, [userId]);
    const found = await this.replica.read((connection, confirm) =>
      read(connection, async (run) => {
        const [here] = (await run(REPLICA_POSITION, [userId])) as ReplicaPosition[];
        if (!here!.is_replica) throw new Error('it is not in recovery');
        confirm();
        if (here!.position !== (primary?.position ?? null)) throw new BehindError();
      }),
    );
    this.metrics.countReplicaRead('unread' in found ? found.unread : 'replica');
    return 'unread' in found ? null : found;
  }
}

function sourceIn(transaction: Kysely<unknown>): ListSource {
  return {
    kysely: <Tables>() => transaction as unknown as Kysely<Tables>,
    query: ({ text }, values) => rowsOf(transaction, text, values),
  };
}

async function rowsOf<Row>(kysely: Kysely<unknown>, text: string, values: readonly unknown[]): Promise<Row[]> {
  return (await kysely.executeQuery<Row>(CompiledQuery.raw(text, [...values]))).rows;
}
