// Measured with a page of 25 balances: unprepared it costs 1.57 times as much, planned for each set of values 1.19 times.
import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import pg, { type QueryResultRow } from 'pg';
import { Config } from '../config/config.js';
import { DATABASE_ADDRESS, type DatabaseAddress, sharesSessions } from './address.js';
import { HAS_CITUS } from './distribution/citus.js';
import { DatabasePools, governPool, sessionConfig } from './sessions/session-pool.js';
import { poolSizes } from '../config/pool-sizes.js';

/** A statement that each session parses and plans once, under a name of its own. */
export interface PreparedStatement {
  name: string;
  text: string;
}

/**
 * Runs the few statements of nearly every request, outside transactions. Their sessions plan each statement once. By
 * default PostgreSQL may plan for each set of values, which takes longer than reading a page of balances. So a
 * statement here must have one plan that is right for all values, as a lookup by key has.
 */
@Injectable()
export class PreparedStatements implements OnApplicationShutdown {
  readonly #log = new Logger(PreparedStatements.name);
  /** Shared sessions cannot keep prepared statements. */
  readonly #sharesSessions: boolean;
  readonly #pool: pg.Pool;

  constructor(
    @Inject(DATABASE_ADDRESS) address: DatabaseAddress,
    { database }: Config,
    pools: DatabasePools = new DatabasePools(),
  ) {
    this.#sharesSessions = sharesSessions(address);
    const pool = new pg.Pool({
      ...sessionConfig(address, database),
      max: poolSizes(database.poolMax).prepared,
      // eslint-disable-next-line @typescript-eslint/no-misused-promises -- the pool awaits it; its types do not say so
      ...(!this.#sharesSessions && { onConnect: setGenericPlans }),
    });
    governPool(pool, database);
    // The statement fails by itself; without a listener the event would end the process.
    const lost = ({ message }: Error) => this.#log.warn(`A session with the database was lost: ${message}`);
    pool.on('error', lost);
    pool.on('connect', (session) => session.on('error', lost));
    pools.add('prepared', pool);
    this.#pool = pool;
  }

  async query<Row extends QueryResultRow>(statement: PreparedStatement, values: readonly unknown[]): Promise<Row[]> {
    const { name, text } = statement;
    const prepared = this.#sharesSessions ? { text } : { name, text };
    const { rows } = await this.#pool.query<Row>({ ...prepared, values: [...values] });
    return rows;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.#pool.end();
  }
}

/** On Citus the values of a statement decide which node has its rows, so no plan can do without them. */
const setGenericPlans = (session: pg.ClientBase) =>
  session.query(`
    select set_config('plan_cache_mode', 'force_generic_plan', false)
    where not ${HAS_CITUS}`);
