import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { SyncRun } from '../sync-run.entity.js';

/** Where PostgreSQL tells every instance of changed runs: `user_id run_id status`. */
export const SYNC_CHANNEL = 'tidemark_syncs';

/**
 * Gives the runs that a transaction has changed new event ids, and tells every instance once it commits. Call it last:
 * from here to the commit the person's counter is locked, so that ids come to light in their order and who has seen
 * one of them has missed none before it.
 */
export async function publishRunChanges(
  em: EntityManager,
  runs: readonly Pick<SyncRun, 'userId' | 'id'>[],
): Promise<void> {
  await sql`
    with changed as (
      select user_id, id,
        count(*) over (partition by user_id) - row_number() over (partition by user_id order by id) as behind
      from unnest(${runs.map(({ userId }) => userId)}::uuid[], ${runs.map(({ id }) => id)}::uuid[]) as run (user_id, id)
    ),
    counters as (
      insert into sync_event_ids as counter (user_id, last_id)
      select user_id, count(*) from changed group by user_id order by user_id
      on conflict (user_id) do update set last_id = counter.last_id + excluded.last_id
      returning user_id, last_id
    ),
    announced as (
      update sync_runs run set event_id = counters.last_id - changed.behind
      from changed join counters using (user_id)
      where run.user_id = changed.user_id and run.id = changed.id
      returning run.user_id, run.id, run.status
    )
    select pg_notify(${SYNC_CHANNEL}, concat_ws(' ', user_id, id, status)) from announced
  `.execute(em.getKysely());
}
