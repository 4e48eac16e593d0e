import type { EntityManager } from '@mikro-orm/postgresql';
import type { Account } from '../../accounts/account.entity.js';
import type { Connection } from '../../connections/connection.entity.js';
import { reader } from '../../database/reader.js';
import { DeletedAccount } from './deleted-account.entity.js';

type ConnectionKey = Pick<Connection, 'userId' | 'id'>;

/** The provider lists an account that a person deleted. */
export class AccountDeleted extends Error {
  override readonly name = 'AccountDeleted';
}

export function listDeletedAccounts(
  em: EntityManager,
  userId: string,
  connectionIds: readonly string[],
): Promise<DeletedAccount[]> {
  const where = { userId, connectionId: { $in: [...connectionIds] } };
  return reader(em).find(DeletedAccount, where, { orderBy: { name: 'asc', accountId: 'asc' } });
}

/** @throws AccountDeleted */
export async function assertNotDeleted(
  em: EntityManager,
  { userId, id: connectionId }: ConnectionKey,
  externalId: string,
): Promise<void> {
  const count = await em.count(DeletedAccount, { userId, connectionId, externalId });
  if (count > 0) throw new AccountDeleted('the account was deleted by its person');
}

/** Keeps the connection of an account from bringing it back. An account without one cannot come back by itself. */
export async function rememberDeletion(
  em: EntityManager,
  { userId, connectionId, externalId, id: accountId, name }: Account,
  deletedAt: Date,
): Promise<void> {
  if (connectionId === null) return;
  await em.upsert(DeletedAccount, { userId, connectionId, externalId, accountId, name, deletedAt });
}

/** @returns whether the account was deleted before */
export async function forgetDeletion(
  em: EntityManager,
  { userId, id: connectionId }: ConnectionKey,
  accountId: string,
): Promise<boolean> {
  return (await em.nativeDelete(DeletedAccount, { userId, connectionId, accountId })) > 0;
}
