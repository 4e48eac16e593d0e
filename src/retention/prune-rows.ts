import type { EntityManager, InferClassEntityDB } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { inBatches } from '../database/in-batches.js';
import type { ApiKey } from '../auth/api-key.entity.js';
import { noteChanges } from '../change-log/note-changes.js';

/** How many rows one transaction removes, so that nobody waits long for its locks. */
const BATCH = 1_000;
/** Runs of each connection that stay whatever their age: they show its state, and how often in a row it failed. */
const KEPT_RUNS = 20;
const ENDED = ['succeeded', 'partial', 'failed'];

/** Removes rows of one person that ended before a moment, a bounded number at a time. @returns how many it removed */
export type Prune = (em: EntityManager, userId: string, before: Date) => Promise<number>;

/**
 * Ended syncs, except the newest ones of each connection, locked in the order in which the deletion of a person locks
 * them. Arrays are chosen once; a subquery could be run again for each row of a table that is thought to have one.
 * Raw, because the entity of syncs belongs to a higher folder.
 */
export const pruneSyncRuns: Prune = (em, userId, before) =>
  inTransactions(em, async (em) => {
    const { rows } = await sql<{ id: string }>`
      delete from sync_runs where user_id = ${userId} and id = any(array(
        select id from sync_runs where user_id = ${userId} and id = any(array(select id from (
          select id, connection_id, queued_at, status,
            row_number() over (partition by connection_id order by queued_at desc, event_id desc, id) as place,
            row_number() over (
              partition by connection_id, trigger = 'rebuild', status = any(${ENDED}::text[])
              order by queued_at desc, event_id desc, id
            ) as place_of_kind
          from sync_runs where user_id = ${userId}
        ) run
        where queued_at < ${before} and status not in ('queued', 'running')
          and (connection_id is null or (place > ${KEPT_RUNS} and place_of_kind > 1))
        limit ${BATCH})) order by id for update
      )) returning id`.execute(em.getKysely());
    if (rows.length > 0) noteChanges(userId, { kind: 'syncs', ids: rows.map(({ id }) => id) }, { kind: 'connections' });
    return rows.length;
  });

/** API keys that were revoked or have expired. */
export const pruneApiKeys: Prune = (em, userId, before) =>
  inTransactions(em, async (em) => {
    const { numDeletedRows } = await em
      .getKysely<InferClassEntityDB<typeof ApiKey>>()
      .deleteFrom('api_keys')
      .where('user_id', '=', userId)
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('api_keys')
          .select('id')
          .where('user_id', '=', userId)
          .where((eb) => eb.or([eb('revoked_at', '<', before), eb('expires_at', '<', before)]))
          .limit(BATCH),
      )
      .executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  });

/** Expired rows that a new one of the same person would replace. Raw, for `ctid`: the tables have different keys. */
export const pruneExpired: Prune = async (em, userId, before) => {
  let total = 0;
  for (const table of ['sessions', 'invitations', 'webhook_secrets']) {
    total += await inTransactions(em, async (em) => {
      const { numAffectedRows } = await sql`
        delete from ${sql.table(table)} where ctid = any(array(
          select ctid from ${sql.table(table)} where user_id = ${userId} and expires_at < ${before} limit ${BATCH}
        )) and user_id = ${userId}`.execute(em.getKysely());
      return Number(numAffectedRows);
    });
  }
  return total;
};

function inTransactions(em: EntityManager, remove: (em: EntityManager) => Promise<number>): Promise<number> {
  return inBatches(BATCH, () => em.transactional(remove));
}
