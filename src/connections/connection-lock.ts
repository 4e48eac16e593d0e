import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Connection } from './connection.entity.js';

/** A connection was removed while something was being done for it: there is nothing left to do, and no fault. */
export class ConnectionRemoved extends Error {
  override readonly name = 'ConnectionRemoved';

  constructor() {
    super('the connection was removed');
  }
}

/**
 * Holds a connection until the transaction of `em` ends: removing it and switching its pending transactions off wait
 * until then. What is written for it therefore always agrees with what it is.
 *
 * @returns what may have been edited since the connection was loaded
 * @throws ConnectionRemoved
 */
export async function lockConnection(
  em: EntityManager,
  { userId, id }: Pick<Connection, 'userId' | 'id'>,
): Promise<Pick<Connection, 'includePending'>> {
  const { rows } = await sql<Pick<Connection, 'includePending'>>`
    select include_pending as "includePending" from connections
    where user_id = ${userId} and id = ${id} for no key update
  `.execute(em.getKysely());
  if (!rows[0]) throw new ConnectionRemoved();
  return rows[0];
}
