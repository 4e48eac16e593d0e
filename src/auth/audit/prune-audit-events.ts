import { inBatches } from '../../database/prune.js';
import type { AuditEventsTables } from './audit-event.js';

/** Deletes a person's events before a time. The table refuses every other deletion. */
export const pruneAuditEvents = inBatches(async (em, userId, before, limit) => {
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
        .limit(limit),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
});
