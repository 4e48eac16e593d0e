import { type EntityManager, type InferClassEntityDB, LockMode } from '@mikro-orm/postgresql';
import type { Account } from '../../accounts/account.entity.js';
import { DomainError, recordNotFound } from '../../errors/domain-error.js';
import { Connection, type ConnectionKey } from '../../connections/connection.entity.js';
import { isOpen, OPEN, SyncRun } from '../sync-run.entity.js';

type Tables = InferClassEntityDB<typeof Account | typeof SyncRun>;

const LOCKED = { lockMode: LockMode.PESSIMISTIC_WRITE, disableIdentityMap: true };

/** More attempts are only needed if somebody requests syncs all the time. */
const MAX_LOCK_ATTEMPTS = 10;

/** A sync was requested after the open run was locked. */
class RunAdded extends DomainError {
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
 * @throws DomainError `record_not_found`
 */
export async function withConnectionLocked<T>(
  em: EntityManager,
  { userId, id }: ConnectionKey,
  work: (em: EntityManager) => Promise<T>,
): Promise<T> {
  const lockAndWork = async (em: EntityManager) => {
    const lockedRunId = await lockRuns(em, { userId, id });
    const locked = await em.findOne(Connection, { userId, id }, { fields: ['id'], ...LOCKED });
    if (!locked) throw recordNotFound('connection');
    const open = { userId, connectionId: id, ...OPEN };
    const openRun = await em.findOne(SyncRun, open, { fields: ['id'], disableIdentityMap: true });
    if ((openRun?.id ?? null) !== lockedRunId) throw new RunAdded();
    return work(em);
  };
  for (let attempt = 1; ; attempt++) {
    try {
      return await em.transactional(lockAndWork);
    } catch (error) {
      if (!(error instanceof RunAdded) || attempt === MAX_LOCK_ATTEMPTS) throw error;
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
