import type { TestApp } from './app.js';
import { until } from './syncs.js';

/**
 * The sessions that hold a cursor, by their process ids. The transaction is open all the time; its state is `active`
 * during a fetch and `idle in transaction` between two.
 */
async function openCursors({ em }: TestApp): Promise<number[]> {
  const rows = await em()
    .getConnection()
    .execute<{ pid: number }[]>(
      `select pid from pg_stat_activity
       where datname = current_database() and xact_start is not null and query ~* '^(declare|fetch) '`,
    );
  return rows.map(({ pid }) => pid);
}

/** Waits until so many sessions hold a cursor. */
export function holdingCursors(tidemark: TestApp, count: number): Promise<number[]> {
  return until(async () => {
    const pids = await openCursors(tidemark);
    return pids.length === count ? pids : null;
  }, `${count} open cursors`);
}
