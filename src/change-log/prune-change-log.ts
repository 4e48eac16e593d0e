import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { inBatches } from '../database/in-batches.js';

const REVISIONS_AT_A_TIME = 1_000;

/**
 * Deletes the log of a person before a time. The same transaction raises the floor, which invalidates older cursors.
 * Records do not change.
 *
 * @returns how many revisions were deleted
 */
export function pruneChangeLog(em: EntityManager, userId: string, before: Date): Promise<number> {
  return inBatches(REVISIONS_AT_A_TIME, () => em.transactional((em) => pruneSome(em, userId, before)));
}

async function pruneSome(em: EntityManager, userId: string, before: Date): Promise<number> {
  const kysely = em.getKysely();
  const { rows } = await sql<{ floor: string | null; count: number }>`
    select max(revision)::text as floor, count(*)::float8 as count
    from (
      select r.revision from revisions r join user_revisions known using (user_id)
      where r.user_id = ${userId} and r.revision > known.floor and r.committed_at < ${before}
      order by r.revision limit ${REVISIONS_AT_A_TIME}
    ) old
  `.execute(kysely);
  const { floor, count } = rows[0]!;
  if (floor === null) return 0;
  await sql`delete from changes where user_id = ${userId} and revision <= ${floor}`.execute(kysely);
  // A revision stays while a stored version of a balance refers to it.
  await sql`
    delete from revisions r
    where user_id = ${userId} and revision <= ${floor} and not exists (
      select from balance_versions kept where kept.user_id = ${userId} and kept.batch_id = r.batch_id
    )
  `.execute(kysely);
  // Last, since every writer for the person waits for this row.
  await sql`update user_revisions set floor = greatest(floor, ${floor}) where user_id = ${userId}`.execute(kysely);
  return count;
}
