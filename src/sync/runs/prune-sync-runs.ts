import { sql } from 'kysely';
import { noteChanges } from '../../database/change-log/note-changes.js';
import { inBatches } from '../../database/prune.js';

/** Runs of each connection that stay whatever their age: they show its state, and how often in a row it failed. */
const KEPT_RUNS = 20;
const ENDED = ['succeeded', 'partial', 'failed'];

/**
 * Removes ended syncs, except the newest ones of each connection, locked in the order in which the deletion of a person locks
 * them. Arrays are chosen once; a subquery could be run again for each row of a table that is thought to have one.
 * Raw, for window functions.
 */
export const pruneSyncRuns = inBatches(async (em, userId, before, limit) => {
  const { rows } = await sql<{ id: string }>`
      delete from sync_runs where user_id = ${userId} and id = any(array(
        select id from sync_runs where user_id = ${userId} and id = any(array(select id from (
          select id, connection_id, queued_at, status,
            row_number() over (partition by connection_id order by queued_at desc, event_id desc, id) as place,
            row_number() over (
              partition by connection_id, status = any(${ENDED}::text[]) order by queued_at desc, event_id desc, id
            ) as place_of_kind
          from sync_runs where user_id = ${userId}
        ) run
        where queued_at < ${before} and status not in ('queued', 'running')
          and (connection_id is null or (place > ${KEPT_RUNS} and place_of_kind > 1))
        limit ${limit})) order by id for update
      )) returning id`.execute(em.getKysely());
  if (rows.length > 0) noteChanges(userId, { kind: 'syncs', ids: rows.map(({ id }) => id) }, { kind: 'connections' });
  return rows.length;
});
