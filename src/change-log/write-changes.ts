import { type Kysely, sql } from 'kysely';
import { type Change, RECORD_KINDS } from './change.js';
import { mergeChanges } from './merge-changes.js';

/** The PostgreSQL channel for changed data. Only a hint: readers also poll. */
export const CHANGES_CHANNEL = 'tidemark_changes';

/** What a transaction has changed of one person's data. */
export interface NotedChanges {
  changes: Change[];
  /** Finds the revision from the tables that store what the transaction replaced; `null`: it replaced nothing there. */
  batchId: string | null;
  /** How many parts are stored there. */
  kept: number;
}

/**
 * Writes what a transaction has changed under the next revision of each person. It must be the last statement before
 * the commit: it locks the person's counter, so that revisions become visible in order and a reader who sees one has
 * missed none before it. Several counters are locked in the order of their ids.
 */
export async function writeChanges(kysely: Kysely<unknown>, people: ReadonlyMap<string, NotedChanges>): Promise<void> {
  const parts = [...people].flatMap(([userId, { changes, batchId }]) =>
    mergeChanges(changes).map(({ kind, accountId, from, to, ids, event }, part) => ({
      user_id: userId,
      batch_id: batchId,
      part,
      kind,
      account_id: accountId,
      from_date: from,
      to_date: to,
      ids,
      event,
    })),
  );
  if (parts.length === 0) return;
  // Before the counters are locked: it names the people and not their revisions.
  await sql`
    select pg_notify(${CHANGES_CHANNEL}, user_id) from unnest(${[...people.keys()]}::text[]) user_id
  `.execute(kysely);
  await sql`
    with noted as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(parts)}::jsonb) as part
        (user_id uuid, batch_id uuid, part integer, kind text, account_id uuid, from_date date, to_date date, ids uuid[],
         event text)
    ), moved as (
      insert into user_revisions as stored (user_id, revision, records_revision, moved_at)
      select user_id, 1, max((kind = any(${[...RECORD_KINDS]}::text[]))::integer), statement_timestamp()
      from noted group by user_id order by user_id
      on conflict (user_id) do update set
        revision = stored.revision + 1,
        records_revision = case when excluded.records_revision = 1 then stored.revision + 1 else stored.records_revision end,
        moved_at = greatest(stored.moved_at, excluded.moved_at)
      returning user_id, revision, moved_at
    ), numbered as (
      insert into revisions (user_id, revision, committed_at, kinds, batch_id)
      select moved.user_id, moved.revision, moved.moved_at, array_agg(distinct noted.kind order by noted.kind),
        min(noted.batch_id::text)::uuid
      from moved join noted using (user_id) group by moved.user_id, moved.revision, moved.moved_at
    )
    insert into changes (user_id, revision, part, kind, account_id, from_date, to_date, ids, event)
    select user_id, revision, part, kind, account_id, from_date, to_date, ids, event from noted join moved using (user_id)
  `.execute(kysely);
}
