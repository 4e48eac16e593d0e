import type { EntityManager } from '@mikro-orm/postgresql';
import { inBatches } from '../../database/prune.js';
import type { AuditEventsTables } from './audit-event.js';

const EVENTS_AT_A_TIME = 1_000;

/** Deletes a person's events before a time. The table refuses every other deletion. @returns how many */
export function pruneAuditEvents(em: EntityManager, userId: string, before: Date): Promise<number> {
  return inBatches(EVENTS_AT_A_TIME, () => em.transactional((em) => pruneSome(em, userId, before)));
}

async function pruneSome(em: EntityManager, userId: string, before: Date): Promise<number> {
  const kysely = em.getKysely<AuditEventsTables>();
  // The trigger of the table asks for this setting.
  await kysely
    .selectNoFrom((eb) =>
      eb.fn('set_config', [eb.val('tidemark.purges_audit_events'), eb.val('on'), eb.lit(true)]).as('isAllowed'),
    )
    .execute();
  const { numDeletedRows } = await kysely
    .deleteFrom('audit_events')
    .where('user_id', '=', userId)
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('audit_events')
        .select('id')
        .where('user_id', '=', userId)
        .where('occurred_at', '<', before)
        .limit(EVENTS_AT_A_TIME),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
