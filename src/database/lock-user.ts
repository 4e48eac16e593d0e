import type { EntityManager } from '@mikro-orm/postgresql';

/** Locks a user's row until the transaction ends, so that parallel requests cannot exceed a limit of the person. */
export async function lockUser(em: EntityManager, userId: string): Promise<void> {
  const users = em.getKysely<{ users: { id: string } }>().selectFrom('users');
  await users.select('id').where('id', '=', userId).forNoKeyUpdate().execute();
}
