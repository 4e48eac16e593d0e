import { type EntityManager, type InferClassEntityDB, LockMode } from '@mikro-orm/postgresql';
import type { Account } from '../../accounts/account.entity.js';
import { DomainError, recordNotFound } from '../../errors/domain-error.js';
import { Connection, type ConnectionKey } from '../../connections/connection.entity.js';
import { isOpen, OPEN, SyncRun } from '../sync-run.entity.js';

type Tables = InferClassEntityDB<typeof Account | typeof Connection | typeof SyncRun>;

const LOCKED = { lockMode: LockMode.PESSIMISTIC_WRITE, disableIdentityMap: true };

/** More attempts are only needed if somebody requests syncs all the time. */
const MAX_LOCK_ATTEMPTS = 10;

/** A sync was requested after the open run was locked. */
class RunAddedError extends DomainError {
  constructor() {
    super('unavailable', 'Another request is changing this connection. Try again.', {
      retryAfterSeconds: 1,
    });
  }
}

/**
 * Runs `work` in a transaction that has locked the runs of a connection and then the connection, in the order of a
 * sync. No run can be added while the connection is locked. If one was added between the two locks, waiting for it
 * could deadlock, so both locks are released and acquired again.
 *
 * @param keepsOthers whether the person's other connections are kept from being removed, too: for work that writes to
 * rows of theirs. All are locked in the order of their ids.
 * @throws DomainError `record_not_found`
 */
export async function withConnectionLocked<T>(
  em: EntityManager,
  { userId, id }: ConnectionKey,
  work: (em: EntityManager) => Promise<T>,
  { keepsOthers = false } = {},
): Promise<T> {
  const lockAndWork = async (em: EntityManager) => {
    const lockedRunId = await lockRuns(em, { userId, id });
    if (keepsOthers) await keepConnections(em, userId, '<', id);
    const locked = await em.findOne(Connection, { userId, id }, { fields: ['id'], ...LOCKED });
    if (!locked) throw recordNotFound('connection');
    if (keepsOthers) await keepConnections(em, userId, '>', id);
    const open = { userId, connectionId: id, ...OPEN };
    const openRun = await em.findOne(SyncRun, open, { fields: ['id'], disableIdentityMap: true });
    if ((openRun?.id ?? null) !== lockedRunId) throw new RunAddedError();
    return work(em);
  };
  for (let attempt = 1; ; attempt++) {
    try {
      return await em.transactional(lockAndWork);
    } catch (error) {
      if (!(error instanceof RunAddedError) || attempt === MAX_LOCK_ATTEMPTS) throw error;
    }
  }
}

/**
 * Locks all runs of a connection, ended ones too, in the order in which the deletion of a person locks them.
 *
 * @returns the id of the open one; `null` when there is none
 */
async function lockRuns(em: EntityManager, { userId, id }: ConnectionKey): Promise<string | null> {
  const runs = await em
    .getKysely<Tables>()
    .selectFrom('sync_runs')
    .select(['id', 'status'])
    .where('user_id', '=', userId)
    .where('connection_id', '=', id)
    .orderBy('id')
    .forUpdate()
    .execute();
  return runs.find(isOpen)?.id ?? null;
}

/** Keeps connections with ids before or after one from being removed; their syncs go on. */
async function keepConnections(em: EntityManager, userId: string, side: '<' | '>', id: string): Promise<void> {
  await em
    .getKysely<Tables>()
    .selectFrom('connections')
    .select('id')
    .where('user_id', '=', userId)
    .where('id', side, id)
    .orderBy('id')
    .forKeyShare()
    .execute();
}

/** Locks the accounts of a connection, which is locked already. @returns their ids */
export async function lockAccounts(em: EntityManager, { userId, id }: ConnectionKey): Promise<string[]> {
  const accounts = await em
    .getKysely<Tables>()
    .selectFrom('accounts')
    .select('id')
    .where('user_id', '=', userId)
    .where('connection_id', '=', id)
    .orderBy('id')
    .forUpdate()
    .execute();
  return accounts.map(({ id }) => id);
}
