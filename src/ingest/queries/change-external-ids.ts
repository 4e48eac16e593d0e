import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Account } from '../../accounts/account.entity.js';
import { textArray } from './array-literal.js';

/**
 * Gives stored transactions of an account other ids of the provider; they stay the rows they are. Each looks its new id up
 * in one object. To join them with pairs would be left to the planner, and of an account that was first synced a moment
 * ago, or is one of very many, it knows so little that it goes through all pairs for every row.
 *
 * @param newIds by the ids they have now; none of them may be in use
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
