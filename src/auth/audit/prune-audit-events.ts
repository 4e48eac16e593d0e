import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { inBatches } from '../../database/in-batches.js';

const EVENTS_AT_A_TIME = 1_000;

/** Deletes a person's events before a time. The table refuses every other deletion. @returns how many */
export function pruneAuditEvents(em: EntityManager, userId: string, before: Date): Promise<number> {
  return inBatches(EVENTS_AT_A_TIME, () => em.transactional((em) => pruneSome(em, userId, before)));
}

/** Raw, because the table has no entity. */
async function pruneSome(em: EntityManager, userId: string, before: Date): Promise<number> {
  const kysely = em.getKysely();
  await sql`select set_config('tidemark.purges_audit_events', 'on', true)`.execute(kysely);
  const { numAffectedRows } = await sql`
    delete from audit_events where user_id = ${userId} and id in (
      select id from audit_events where user_id = ${userId} and occurred_at < ${before} limit ${EVENTS_AT_A_TIME}
    )
  `.execute(kysely);
  return Number(numAffectedRows ?? 0);
}
