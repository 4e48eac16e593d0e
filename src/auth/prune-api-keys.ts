import type { InferClassEntityDB } from '@mikro-orm/postgresql';
import { inBatches } from '../database/prune.js';
import type { ApiKey } from './api-key.entity.js';

/** Removes API keys that were revoked or have expired. */
export const pruneApiKeys = inBatches(async (em, userId, before, limit) => {
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
        .limit(limit),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
});
