// Measured with a page of 25 balances: unprepared it costs 1.57 times as much, planned for each set of values 1.19 times.
// Measured with 200,000 records: without the fetch ahead an export takes 1.17 times as long, at equal processor time.
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type pg from 'pg';
import type { QueryResult, QueryResultRow } from 'pg';
import { Config } from '../platform/config/config.js';
import { poolSizes } from '../platform/config/pool-sizes.js';
import { DATABASE_ADDRESS, type DatabaseAddress, sharesSessions } from './address.js';
import { HAS_CITUS } from './citus.js';
import { type BoundedClient, sessionConfig, usingSessionsFor } from './sessions/bounded-client.js';
import { DatabasePools, SessionPool } from './sessions/session-pool.js';

const BATCH_ROWS = 200;

/** A statement that each session parses and plans once, under a name of its own. */
export interface PreparedStatement {
  name: string;
  text: string;
}

interface Statement {
  text: string;
  values: readonly unknown[];
}

/** The pool beside MikroORM's, for what entities and transactions would make slower: prepared statements and exports. */
@Injectable()
export class PlainPool implements OnApplicationShutdown {
  /** Shared sessions cannot keep prepared statements. */
  readonly #sharesSessions: boolean;
  readonly #pool: SessionPool;

  constructor(
    @Inject(DATABASE_ADDRESS) address: DatabaseAddress,
    { database }: Config,
    pools: DatabasePools = new DatabasePools(),
  ) {
    this.#sharesSessions = sharesSessions(address);
    this.#pool = new SessionPool({
      ...sessionConfig(address, database),
      max: poolSizes(database.poolMax).plain,
      // One that has rested does not end: the first list after twelve seconds takes 7.7 ms in place of 16.3.
      min: 1,
      ...(!this.#sharesSessions && { onConnect: prepareSession }),
    });
    pools.add('plain', this.#pool);
  }

  /**
   * Runs one of the few statements of nearly every request. Its sessions plan each statement once. By default PostgreSQL
   * may plan for each set of values, which takes longer than reading a page of balances. So a statement here must have
   * one plan that is right for all values, as a lookup by key has.
   */
  async query<Row extends QueryResultRow>(
    { name, text }: PreparedStatement,
    values: readonly unknown[],
  ): Promise<Row[]> {
    const prepared = this.#sharesSessions ? { text } : { name, text };
    const { rows } = await this.#pool.query<Row>({ ...prepared, values: [...values] });
    return rows;
  }

  /**
   * Reads all rows of statements in batches and in one snapshot. The next batch is fetched while the last one is
   * processed. Ending the iteration early closes the cursor. It uses one session until its end.
   */
  async *readAll<Row extends QueryResultRow>(...statements: readonly Statement[]): AsyncGenerator<Row[], void> {
    const session = await this.#pool.connect();
    const query = (text: string, values: readonly unknown[] = []) =>
      usingSessionsFor('export', () => session.query<Row>(text, [...values]));
    try {
      // One snapshot for all statements.
      await query('begin isolation level repeatable read read only');
      for (const statement of statements) yield* readStatement(query, statement);
    } finally {
      // Runs after a pending fetch. A session that cannot roll back is not reused.
      const isIntact = await query('rollback').then(
        () => true,
        () => false,
      );
      session.release(!isIntact);
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.#pool.end();
  }
}

async function* readStatement<Row extends QueryResultRow>(
  query: (text: string, values?: readonly unknown[]) => Promise<QueryResult<Row>>,
  { text, values }: Statement,
): AsyncGenerator<Row[], void> {
  const fetchNext = () => query(`fetch ${BATCH_ROWS} from records`);
  await query(`declare records no scroll cursor for ${text}`, values);
  for (let fetching = fetchNext(), isMore = true; isMore;) {
    const { rows } = await fetching;
    isMore = rows.length === BATCH_ROWS;
    if (isMore) {
      fetching = fetchNext();
      // Nobody awaits it if the iteration ends here.
      fetching.catch(() => undefined);
    }
    if (rows.length > 0) yield rows;
  }
  await query('close records');
}

/** On Citus the values of a statement decide which node has its rows, so no plan can do without them. */
const prepareSession = (async (session: BoundedClient) => {
  await session.limit();
  await (session as pg.Client).query(`
    select set_config('plan_cache_mode', 'force_generic_plan', false)
    where not ${HAS_CITUS}`);
}) as unknown as (session: pg.ClientBase) => void;
