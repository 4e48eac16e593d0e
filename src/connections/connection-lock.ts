import type { EntityManager, InferClassEntityDB } from '@mikro-orm/postgresql';
import type { Connection } from './connection.entity.js';

type Tables = InferClassEntityDB<typeof Connection>;

/** The connection was removed while something was done for it. Nothing is left to do, and nothing has failed. */
export class ConnectionRemoved extends Error {
  override readonly name = 'ConnectionRemoved';

  constructor() {
    super('the connection was removed');
  }
}

/**
 * Locks a connection until the transaction of `em` ends. Whoever removes it or switches its pending transactions off
 * waits until then, so what is written for it agrees with its settings.
 *
 * @returns what may have changed since the connection was loaded
 * @throws ConnectionRemoved
 */
export async function lockConnection(
  em: EntityManager,
  { userId, id }: Pick<Connection, 'userId' | 'id'>,
): Promise<Pick<Connection, 'includePending'>> {
  const connection = await em
    .getKysely<Tables>()
    .selectFrom('connections')
    .select('include_pending as includePending')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!connection) throw new ConnectionRemoved();
  return connection;
}
