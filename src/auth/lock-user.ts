import type { EntityManager, InferClassEntityDB } from '@mikro-orm/postgresql';
import type { User } from './user.entity.js';

type Tables = InferClassEntityDB<typeof User>;

/** Locks a user's row until the transaction ends, so that parallel requests cannot exceed a limit of the person. */
export async function lockUser(em: EntityManager, userId: string): Promise<void> {
  await em.getKysely<Tables>().selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute();
}
