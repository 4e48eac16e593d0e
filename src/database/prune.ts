import { sql } from 'kysely';
import type { Prune } from '../platform/module.js';

/** How many rows one transaction removes, so that nobody waits long for its locks. */
const ROWS_AT_A_TIME = 1_000;

/**
 * Calls `removeSome` until it removes less than a batch. Each call is a transaction of its own, so that locks are
 * short.
 *
 * @returns how many rows were removed
 */
export async function inBatches(batch: number, removeSome: () => Promise<number>): Promise<number> {
  let total = 0;
  for (;;) {
    const removed = await removeSome();
    total += removed;
    if (removed < batch) return total;
  }
}

/** Removes rows of a table by their `expires_at`. Raw, for `ctid`: the tables have different keys. */
export function pruneExpired(table: string): Prune {
  const remove: Prune = (em, userId, before) =>
    em.transactional(async (em) => {
      const { numAffectedRows } = await sql`
        delete from ${sql.table(table)} where ctid = any(array(
          select ctid from ${sql.table(table)} where user_id = ${userId} and expires_at < ${before}
          limit ${ROWS_AT_A_TIME}
        )) and user_id = ${userId}`.execute(em.getKysely());
      return Number(numAffectedRows);
    });
  return (...args) => inBatches(ROWS_AT_A_TIME, () => remove(...args));
}
