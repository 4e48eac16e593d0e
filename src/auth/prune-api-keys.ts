import type { InferClassEntityDB } from '@mikro-orm/postgresql';
import { inBatches } from '../database/prune.js';
import type { Prune } from '../platform/module.js';
import type { ApiKey } from './api-key.entity.js';

const KEYS_AT_A_TIME = 1_000;

/** Removes API keys that were revoked or have expired. */
export const pruneApiKeys: Prune = (em, userId, before) =>
  inBatches(KEYS_AT_A_TIME, () =>
    em.transactional(async (em) => {
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
            .limit(KEYS_AT_A_TIME),
        )
        .executeTakeFirstOrThrow();
      return Number(numDeletedRows);
    }),
  );
