import type { TestApp } from './app.js';
import { until } from './syncs.js';

/** Of the locks in `pg_locks`: suites run side by side on one server, and their tables have the same numbers. */
export const OF_THIS_DATABASE = 'database = (select oid from pg_database where datname = current_database())';

/** Resolves once a session of the app's database waits for a lock. */
export async function sessionWaitsForLock(test: TestApp): Promise<void> {
  const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await until(async () => (await test.em().execute<unknown[]>(waiting)).length > 0 || null, 'waiting for a lock');
}
