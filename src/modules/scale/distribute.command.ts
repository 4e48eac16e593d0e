import type pg from 'pg';
import { readCliConfigInUse, withDatabase } from '../../operate/cli/with-application.js';
import type { Lifecycle } from '../../platform/lifecycle.js';
import { withPlainSession } from '../../database/plain-session.js';
import { distribute } from './distribute.js';

/** Distributes the database of DATABASE_URL in one transaction. Whoever uses the tables waits for its end. */
export async function distributeDatabase(lifecycle: Lifecycle): Promise<object> {
  const config = await readCliConfigInUse();
  const inTransaction = async (session: pg.Client) => {
    await session.query('begin');
    const tables = await distribute(session);
    await session.query('commit');
    return { tables };
  };
  const distribution = withDatabase('writes', config, lifecycle, (address) =>
    withPlainSession(address, config.database, inTransaction, 'migration'),
  );
  return lifecycle.unlessStopping(distribution);
}
