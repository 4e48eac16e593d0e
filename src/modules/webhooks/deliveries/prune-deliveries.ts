import type { InferClassEntityDB } from '@mikro-orm/postgresql';
import { inBatches } from '../../../kit.js';
import type { WebhookEndpoint } from '../endpoints/webhook-endpoint.entity.js';
import type { WebhookDelivery } from './webhook-delivery.entity.js';

type Tables = InferClassEntityDB<typeof WebhookDelivery | typeof WebhookEndpoint>;

/** The newest per endpoint are kept. More are removed, however recent they are. */
const KEPT_DELIVERIES = 2_000;

/**
 * Removes ended deliveries: those before a time, and all but the newest.
 */
export const pruneDeliveries = inBatches(async (em, userId, before, limit) => {
  const kysely = em.getKysely<Tables>();
  const removable = kysely
    .selectFrom('webhook_deliveries as d')
    .innerJoin('webhook_endpoints as e', (on) =>
      on.onRef('e.user_id', '=', 'd.user_id').onRef('e.id', '=', 'd.endpoint_id'),
    )
    .select('d.id')
    .where('d.user_id', '=', userId)
    .where('d.status', '<>', 'pending')
    .where((eb) =>
      eb.or([eb('d.created_at', '<', before), eb('d.number', '<=', eb('e.last_number', '-', KEPT_DELIVERIES))]),
    )
    .limit(limit);
  const { numDeletedRows } = await kysely
    .deleteFrom('webhook_deliveries')
    .where('user_id', '=', userId)
    .where('id', 'in', removable)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
});
