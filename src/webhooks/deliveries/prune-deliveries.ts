import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { inBatches } from '../../database/in-batches.js';

const DELIVERIES_AT_A_TIME = 1_000;
/** Of each endpoint, however young they are: nobody reads more. */
const KEPT_DELIVERIES = 2_000;

/**
 * Removes ended deliveries: those of before a moment, and all but the newest.
 *
 * @returns how many
 */
export function pruneDeliveries(em: EntityManager, userId: string, before: Date): Promise<number> {
  return inBatches(DELIVERIES_AT_A_TIME, () => em.transactional((em) => pruneSome(em, userId, before)));
}

async function pruneSome(em: EntityManager, userId: string, before: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from webhook_deliveries where user_id = ${userId} and id in (
      select d.id from webhook_deliveries d join webhook_endpoints e on e.user_id = d.user_id and e.id = d.endpoint_id
      where d.user_id = ${userId} and d.status <> 'pending'
        and (d.created_at < ${before} or d.number <= e.last_number - ${KEPT_DELIVERIES})
      limit ${DELIVERIES_AT_A_TIME}
    )
  `.execute(em.getKysely());
  return Number(numAffectedRows ?? 0);
}
