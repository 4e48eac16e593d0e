import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Account } from '../../accounts/account.entity.js';
import { textArray } from './array-literal.js';

/**
 * Gives stored transactions of an account other external ids; they stay the same records. Each row looks its new id up
 * in one JSON object instead of a join: the planner has no statistics of an account that was first synced a moment ago,
 * and would compare all pairs for every row.
 *
 * @param newIds by the current external ids; none of the new ones may be in use
 */
export async function changeExternalIds(
  em: EntityManager,
  { userId, id }: Pick<Account, 'userId' | 'id'>,
  newIds: ReadonlyMap<string, string>,
): Promise<void> {
  if (newIds.size === 0) return;
  await sql`
    update transactions set external_id = ${JSON.stringify(Object.fromEntries(newIds))}::jsonb ->> external_id
    where user_id = ${userId} and account_id = ${id} and external_id = any(${textArray([...newIds.keys()])}::text[])
  `.execute(em.getKysely());
}
