import type pg from 'pg';
import type { Lifecycle } from '../bootstrap/lifecycle.js';
import { distribute, DistributionRefusal } from '../database/distribution/distribute.js';
import { withPlainSession } from '../database/plain-session.js';
import { Refusal } from './command-line.js';
import { readCliConfig, withDatabase } from './with-application.js';

/** Distributes the database of DATABASE_URL in one transaction. Whoever uses the tables waits for its end. */
export async function distributeDatabase(lifecycle: Lifecycle): Promise<object> {
  const config = readCliConfig();
  const { migration } = config.database.limits;
  const inTransaction = async (session: pg.Client) => {
    await session.query('begin');
    const tables = await distribute(session);
    await session.query('commit');
    return { tables };
  };
  const distribution = withDatabase(config, lifecycle, (address) =>
    withPlainSession(address, config.database, inTransaction, migration),
  );
  return lifecycle.unlessStopping(distribution).catch((error: unknown) => {
    throw error instanceof DistributionRefusal ? new Refusal(error.message) : error;
  });
}
