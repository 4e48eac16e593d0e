import { type EntityManager, type InferClassEntityDB, LockMode } from '@mikro-orm/postgresql';
import type { Account } from '../../accounts/account.entity.js';
import { DomainError, recordNotFound } from '../../errors/domain-error.js';
import { Connection } from '../../connections/connection.entity.js';
import type { SyncRunsService } from '../runs/sync-runs.service.js';

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
  runs: SyncRunsService,
  { userId, id }: Pick<Connection, 'userId' | 'id'>,
  work: (em: EntityManager) => Promise<T>,
): Promise<T> {
  const lockAndWork = async (em: EntityManager) => {
    const lockedRunId = await runs.lockAll(em, userId, id);
    const locked = await em.findOne(Connection, { userId, id }, { fields: ['id'], ...LOCKED });
    if (!locked) throw recordNotFound('connection');
    if ((await runs.findOpenId(em, userId, id)) !== lockedRunId) throw new RunAdded();
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

/** Locks the accounts of a connection, which is locked already. @returns their ids */
export async function lockAccounts(
  em: EntityManager,
  { userId, id }: Pick<Connection, 'userId' | 'id'>,
): Promise<string[]> {
  const accounts = await em
    .getKysely<InferClassEntityDB<typeof Account>>()
    .selectFrom('accounts')
    .select('id')
    .where('user_id', '=', userId)
    .where('connection_id', '=', id)
    .orderBy('id')
    .forUpdate()
    .execute();
  return accounts.map(({ id }) => id);
}
