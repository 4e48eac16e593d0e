import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Account } from '../../accounts/account.entity.js';

/** An account that a person deleted while its connection may still list it. Syncs leave it out. */
export interface DeletedAccount {
  connectionId: string;
  accountId: string;
  externalId: string;
  name: string;
  deletedAt: Date;
}

/** The provider lists an account that a person deleted. */
export class AccountDeleted extends Error {
  override readonly name = 'AccountDeleted';
}

export async function listDeletedAccounts(
  em: EntityManager,
  userId: string,
  connectionIds: readonly string[],
): Promise<DeletedAccount[]> {
  const { rows } = await sql<Omit<DeletedAccount, 'deletedAt'> & { deletedAt: number }>`
    select connection_id as "connectionId", account_id as "accountId", external_id as "externalId", name,
      extract(epoch from deleted_at)::float8 * 1000 as "deletedAt"
    from deleted_accounts where user_id = ${userId} and connection_id = any(${[...connectionIds]}::uuid[])
    order by name, account_id
  `.execute(em.getKysely());
  return rows.map((row) => ({ ...row, deletedAt: new Date(row.deletedAt) }));
}

/** @throws AccountDeleted */
export async function assertNotDeleted(
  em: EntityManager,
  { userId, id: connectionId }: { userId: string; id: string },
  externalId: string,
): Promise<void> {
  const { rows } = await sql`
    select from deleted_accounts
    where user_id = ${userId} and connection_id = ${connectionId} and external_id = ${externalId}
  `.execute(em.getKysely());
  if (rows.length > 0) throw new AccountDeleted('the account was deleted by its person');
}

/** Keeps the connection of an account from bringing it back. An account without one cannot come back by itself. */
export async function rememberDeletion(
  em: EntityManager,
  { userId, connectionId, externalId, id, name }: Account,
  at: Date,
): Promise<void> {
  if (connectionId === null) return;
  await sql`
    insert into deleted_accounts (user_id, connection_id, external_id, account_id, name, deleted_at)
    values (${userId}, ${connectionId}, ${externalId}, ${id}, ${name}, ${at})
    on conflict (user_id, connection_id, external_id)
      do update set account_id = excluded.account_id, name = excluded.name, deleted_at = excluded.deleted_at
  `.execute(em.getKysely());
}

/** @returns whether the account was deleted before */
export async function forgetDeletion(
  em: EntityManager,
  { userId, id: connectionId }: { userId: string; id: string },
  accountId: string,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from deleted_accounts
    where user_id = ${userId} and connection_id = ${connectionId} and account_id = ${accountId}
  `.execute(em.getKysely());
  return Number(numAffectedRows ?? 0) > 0;
}
