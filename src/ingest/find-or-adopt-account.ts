import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import { Account } from '../accounts/account.entity.js';
import { noteChanges } from '../change-log/note-changes.js';
import type { SnapshotAccount } from '../bank-provider/bank-provider.js';
import { Connection } from '../connections/connection.entity.js';
import { maySameIdMean } from '../accounts/duplicates/match-accounts.js';
import { DeletedAccount } from './delete-account/deleted-account.entity.js';
import { SyncedElsewhere } from './ingest-problem.js';

/** The provider lists an account that a person deleted. */
export class AccountDeleted extends Error {
  override readonly name = 'AccountDeleted';
}

/** Locked until its history is derived, so that a type that a person sets meanwhile counts. */
const LOCKED = { lockMode: LockMode.PESSIMISTIC_WRITE } as const;

/**
 * Finds the stored account of an answer. An account whose connection was removed or needs a person is adopted with its
 * history.
 *
 * @returns `null`: the account is new, and no other transaction can store it before that of `em` ends
 * @throws AccountDeleted when a person deleted it
 * @throws SyncedElsewhere when another connection still syncs the account
 */
export async function findOrAdoptAccount(
  em: EntityManager,
  connection: Connection,
  snapshot: SnapshotAccount,
): Promise<Account | null> {
  const { userId, id: connectionId, provider } = connection;
  const { externalId } = snapshot;
  const own = await em.findOne(Account, { userId, connectionId, externalId }, LOCKED);
  if (own) return own;
  if ((await em.count(DeletedAccount, { userId, connectionId, externalId })) > 0) throw new AccountDeleted();
  await lockNewAccount(em, [userId, provider, externalId].join(' '));
  const sameId = await em.find(Account, { userId, provider, externalId }, { orderBy: { id: 'asc' }, ...LOCKED });
  const others = sameId
    .filter((account) => maySameIdMean(account, snapshot))
    .sort((a, b) => b.updatedAt.getTime() - a.updatedAt.getTime());
  const ids = others.map((account) => account.connectionId).filter((id) => id !== null);
  const connections = await em.find(Connection, { userId, id: { $in: ids }, status: 'active' });
  for (const other of others) {
    const keeper = connections.find(({ id }) => id === other.connectionId);
    if (keeper) throw new SyncedElsewhere(other, keeper);
  }
  const [orphan] = others;
  if (!orphan) return null;
  orphan.connectionId = connectionId;
  noteChanges(userId, { kind: 'accounts', ids: [orphan.id] }, { kind: 'connections' });
  return orphan;
}

/** Two connections may list the same new account at the same moment, when there is no row to lock. */
async function lockNewAccount(em: EntityManager, key: string): Promise<void> {
  await em
    .getKysely()
    .selectNoFrom((eb) =>
      eb.fn('pg_advisory_xact_lock', [eb.fn('hashtextextended', [eb.val(key), eb.lit(0)])]).as('locked'),
    )
    .execute();
}
