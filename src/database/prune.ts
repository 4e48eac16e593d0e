import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Prune } from '../platform/module.js';

const ROWS_AT_A_TIME = 1_000;

/** Removes rows of one person that ended before a moment, at most `limit`. @returns how many */
type RemoveSome = (em: EntityManager, userId: string, before: Date, limit: number) => Promise<number>;

/** Removes rows in one transaction after the other, so that nobody waits long for their locks. */
export function inBatches(removeSome: RemoveSome): Prune {
  return async (em, userId, before) => {
    for (let total = 0; ;) {
      const removed = await em.transactional((em) => removeSome(em, userId, before, ROWS_AT_A_TIME));
      total += removed;
      if (removed < ROWS_AT_A_TIME) return total;
    }
  };
}

/** Removes rows of a table by their `expires_at`. Raw, for `ctid`: the tables have different keys. */
export function pruneExpired(table: string): Prune {
  return inBatches(async (em, userId, before, limit) => {
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)} where ctid = any(array(
        select ctid from ${sql.table(table)} where user_id = ${userId} and expires_at < ${before} limit ${limit}
      )) and user_id = ${userId}`.execute(em.getKysely());
    return Number(numAffectedRows);
  });
}
