import type { EntityManager, InferClassEntityDB } from '@mikro-orm/postgresql';
import { inBatches } from '../../../database/prune.js';
import type { WebhookEndpoint } from '../endpoints/webhook-endpoint.entity.js';
import type { WebhookDelivery } from './webhook-delivery.entity.js';

type Tables = InferClassEntityDB<typeof WebhookDelivery | typeof WebhookEndpoint>;

const DELIVERIES_AT_A_TIME = 1_000;
/** The newest per endpoint are kept. More are removed, however recent they are. */
const KEPT_DELIVERIES = 2_000;

/**
 * Removes ended deliveries: those before a time, and all but the newest.
 *
 * @returns how many
 */
export function pruneDeliveries(em: EntityManager, userId: string, before: Date): Promise<number> {
  return inBatches(DELIVERIES_AT_A_TIME, () => em.transactional((em) => pruneSome(em, userId, before)));
}

async function pruneSome(em: EntityManager, userId: string, before: Date): Promise<number> {
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
    .limit(DELIVERIES_AT_A_TIME);
  const { numDeletedRows } = await kysely
    .deleteFrom('webhook_deliveries')
    .where('user_id', '=', userId)
    .where('id', 'in', removable)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
