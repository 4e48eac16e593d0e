import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { Account } from '../accounts/account.entity.js';
import type { SnapshotAccount } from '../bank-provider/bank-provider.js';
import { Connection } from '../connections/connection.entity.js';
import { maySameIdMean } from './matching/match-accounts.js';
import { SyncedElsewhere } from './synced-elsewhere.js';

/** Until its history is derived, so that a type that a person sets meanwhile is neither lost nor overlooked. */
const HELD = { lockMode: LockMode.PESSIMISTIC_WRITE } as const;

/**
 * The stored account that an answer means. One that another connection left behind, because it was removed or does not
 * work any more, is taken over with its history; one that another connection still syncs is left to it.
 *
 * @returns `null` when the account is new; nobody else can store it before the transaction of `em` ends
 * @throws SyncedElsewhere
 */
export async function findAccount(
  em: EntityManager,
  connection: Connection,
  snapshot: SnapshotAccount,
): Promise<Account | null> {
  const { userId, id: connectionId, provider } = connection;
  const { externalId } = snapshot;
  const own = await em.findOne(Account, { userId, connectionId, externalId }, HELD);
  if (own) return own;
  await lockNewAccount(em, [userId, provider, externalId].join(' '));
  const sameId = await em.find(Account, { userId, provider, externalId }, { orderBy: { id: 'asc' }, ...HELD });
  const others = sameId
    .filter((account) => maySameIdMean(account, snapshot))
    .sort((a, b) => b.updatedAt.getTime() - a.updatedAt.getTime());
  const ids = others.map((account) => account.connectionId).filter((id) => id !== null);
  const connections = await em.find(Connection, { userId, id: { $in: ids }, status: 'active' });
  for (const other of others) {
    const keeper = connections.find(({ id }) => id === other.connectionId);
    if (keeper) throw new SyncedElsewhere(other, keeper);
  }
  const [left] = others;
  if (left) left.connectionId = connectionId;
  return left ?? null;
}

/** Two connections may meet the same account for the first time at the same moment. */
async function lockNewAccount(em: EntityManager, key: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(em.getKysely());
}
